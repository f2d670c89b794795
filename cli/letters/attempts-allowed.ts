/** Calls of the handler before a record is set aside: a replay has one. */
export function attemptsAllowed(generation: number, maxAttempts: number): number {
  return generation === 0 ? maxAttempts : 1;
}
