/** Runs work of one message group in the order in which it was asked for, never two at once. */
export type GroupTurns = <T>(groups: ReadonlySet<string>, work: () => Promise<T>) => Promise<T>;

/**
 * The queue hides a group's messages while they are handled, but a function that sets their
 * visibility to 0 before it returns would get them again beside itself. Lambda does not do that.
 */
export function createGroupTurns(): GroupTurns {
  const lastOf = new Map<string, Promise<void>>();
  return async (groups, work) => {
    const before = [...groups].map((group) => lastOf.get(group));
    const turn = Promise.withResolvers<void>();
    for (const group of groups) lastOf.set(group, turn.promise);
    await Promise.all(before);
    try {
      return await work();
    } finally {
      turn.resolve();
      for (const group of groups) {
        if (lastOf.get(group) === turn.promise) lastOf.delete(group);
      }
    }
  };
}
