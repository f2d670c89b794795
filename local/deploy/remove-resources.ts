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

/**
 * Deletes resources in the order given, but for those that are to be retained.
 * @throws DeployError for one that cannot be deleted; those behind it are as they were.
 */
export async function removeResources(
  live: LiveStack,
  operation: Operation,
  leaving: readonly (DeployedResource & { readonly departure: Departure })[],
): Promise<Removed> {
  const deleted: DeployedResource[] = [];
  const retained: DeployedResource[] = [];
  for (const { departure, ...resource } of leaving) {
    const { logicalId, policies } = resource;
    if (departure !== "replaced") endTimers(live, [logicalId]);
    if (isRetained(policies, departure)) {
      retained.push(resource);
    } else {
      await remove(resource, operation);
      deleted.push(resource);
    }
  }
  return { deleted, retained };
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
