import type { DeployedResource } from "./deployed-resource.ts";
import type { LiveStack, Operation } from "./live-stack.ts";
import { type Removed, removeResource } from "./remove-resources.ts";

/** Deletes all resources of a stack, the last created first, and the stack.
 *  @throws DeployError for one that cannot be deleted; the stack stays, with all that is left. */
export async function destroyResources(live: LiveStack, operation: Operation): Promise<Removed> {
  const removed: Record<keyof Removed, DeployedResource[]> = { deleted: [], retained: [] };
  for (const resource of [...live.resources.values()].toReversed()) {
    const leaving = { ...resource, departure: "deleted" as const };
    removed[await removeResource(live, operation, leaving)].push(resource);
    live.resources.delete(resource.logicalId);
    live.memory.forget(resource.logicalId);
  }
  live.memory.end();
  return { ...removed, retained: removed.retained.toReversed() };
}
