import { DeployError } from "./deploy-error.ts";
import type { DeployedResource } from "./deployed-resource.ts";
import { endTimers, type LiveStack, type Operation } from "./live-stack.ts";
import { removeOf } from "./resource-types.ts";
import { type Departure, isRetained } from "./retention.ts";

/** What has become of resources that had to go. */
export type Removed = {
  readonly deleted: readonly DeployedResource[];
  /** Those that their policies retain: they are nobody's now, with all that they hold. */
  readonly retained: readonly DeployedResource[];
};

export type Leaving = DeployedResource & { readonly departure: Departure };

/** Deletes resources in the order given, but for those that are to be retained. One that cannot be
 *  deleted holds up none behind it. */
export async function removeResources(
  live: LiveStack,
  operation: Operation,
  leaving: readonly Leaving[],
): Promise<Removed & { readonly failed: readonly DeployError[] }> {
  const removed = { deleted: [], retained: [] } as Record<Outcome, DeployedResource[]>;
  const failed: DeployError[] = [];
  for (const resource of leaving) {
    try {
      removed[await removeResource(live, operation, resource)].push(resource);
    } catch (error) {
      if (!(error instanceof DeployError)) throw error;
      failed.push(error);
    }
  }
  return { ...removed, failed };
}

type Outcome = keyof Removed;

/** Deletes a resource, unless it is to be retained. @throws DeployError if it cannot be deleted. */
export async function removeResource(
  live: LiveStack,
  operation: Operation,
  { departure, ...resource }: Leaving,
): Promise<Outcome> {
  const { logicalId, policies } = resource;
  // The place of one that is replaced is another one's, and so are the timers.
  if (departure !== "replaced") endTimers(live, [logicalId]);
  if (isRetained(policies, departure)) return "retained";
  await remove(resource, operation);
  return "deleted";
}

/** A sentence on what stays, for whoever has to look after it. */
export function retainedText({ retained }: Removed): string {
  if (retained.length === 0) return "Nothing is left";
  const list = retained.map(({ type, physicalId }) => `${type} ${physicalId}`).join(", ");
  return `Left, with all that they hold: ${list}`;
}

async function remove(resource: DeployedResource, operation: Operation): Promise<void> {
  const { logicalId, type } = resource;
  try {
    await removeOf(type)?.(resource, operation.stackFor(logicalId));
  } catch (error) {
    throw new DeployError(logicalId, type, error);
  }
}
