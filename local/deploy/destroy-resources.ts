import type { LiveStack, Operation } from "./live-stack.ts";
import { type Removed, removeResources } from "./remove-resources.ts";

/** Deletes all resources of a stack, the last created first, and the stack.
 *  @throws DeployError for one that cannot be deleted; the stack stays, with all that is left. */
export async function destroyResources(live: LiveStack, operation: Operation): Promise<Removed> {
  const removed: Removed[] = [];
  for (const resource of [...live.resources.values()].toReversed()) {
    const leaving = { ...resource, departure: "deleted" as const };
    removed.push(await removeResources(live, operation, [leaving]));
    live.resources.delete(resource.logicalId);
    live.memory.forget(resource.logicalId);
  }
  live.memory.end();
  return {
    deleted: removed.flatMap(({ deleted }) => deleted),
    retained: removed.flatMap(({ retained }) => retained).toReversed(),
  };
}
