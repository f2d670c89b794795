import type { Cloud } from "../cloud.ts";
import { type Assets, readAssets } from "./assets.ts";
import { createClients } from "./clients.ts";
import type { DeployedResource } from "./deployed-resource.ts";
import { openStackMemory, type StackMemory } from "./kept-stack.ts";
import type { Stack } from "./resource.ts";
import type { StackIdentity } from "./template-values.ts";

/** A stack in a cloud, from its first resource to its last. */
export type LiveStack = {
  readonly identity: StackIdentity;
  readonly cloud: Cloud;
  readonly memory: StackMemory;
  /** By logical id, in the order in which they were created. */
  readonly resources: Map<string, DeployedResource>;
  /** Resources of an earlier stack that this one takes over, by logical id. */
  readonly imported: ReadonlyMap<string, DeployedResource>;
  /** What ends with a resource, such as a schedule's timer. */
  readonly ends: Map<string, () => void>;
  /** Of all templates that it had, as a bucket keeps them: an update that fails goes back to the
   *  code before it. */
  assets: Assets;
};

/** The stack of that name in the cloud, with no resource yet. */
export function openLiveStack(
  cloud: Cloud,
  stackName: string,
  imported: readonly DeployedResource[] = [],
): LiveStack {
  const { region, accountId, stacks } = cloud;
  const memory = openStackMemory(stacks, { stackName, region, accountId });
  const identity = { stackName, stackId: memory.stackId, region, accountId };
  return {
    ...{ identity, cloud, memory, resources: new Map(), ends: new Map(), assets: new Map() },
    imported: new Map(imported.map((resource) => [resource.logicalId, resource])),
  };
}

/** What an operation on a stack works with. */
export type Operation = {
  /** As a request for one of its resources sees the stack. */
  stackFor(logicalId: string): Stack;
};

/** Does something to a stack, with clients that last as long. */
export async function operate<T>(
  live: LiveStack,
  assetsDirectory: string | undefined,
  act: (operation: Operation) => Promise<T>,
): Promise<T> {
  const { identity, cloud, ends, memory } = live;
  if (assetsDirectory !== undefined) {
    live.assets = new Map([...live.assets, ...readAssets(assetsDirectory)]);
  }
  const { assets } = live;
  const clients = createClients(cloud);
  try {
    return await act({
      stackFor: (logicalId) => ({
        ...{ ...identity, cloud, clients, assets, nameSalt: memory.saltOf(logicalId) },
        onStop(end): void {
          const before = ends.get(logicalId);
          ends.set(logicalId, () => {
            before?.();
            end();
          });
        },
      }),
    });
  } finally {
    clients.destroy();
  }
}

/** Ends what runs by itself for all resources, or for one. */
export function endTimers({ ends }: LiveStack, logicalIds: Iterable<string> = ends.keys()): void {
  for (const logicalId of [...logicalIds]) {
    ends.get(logicalId)?.();
    ends.delete(logicalId);
  }
}
