import type { ActRun } from "../acts/record-act.ts";
import type { Clock } from "../clock.ts";

/** Requests side by side, each of some 10 ms. */
const LANES = 8;

/** No letter is begun in the last part of a run. */
const END_MS = 10_000;

/** Acts on each letter, several side by side, while there is time.
 *  @returns how many were begun; the first ones of the list. */
export async function letterLanes<T>(
  letters: readonly T[],
  { deadlineMs }: ActRun,
  clock: Pick<Clock, "nowMs">,
  act: (letter: T) => Promise<void>,
): Promise<number> {
  const untilMs = deadlineMs - Math.min(END_MS, (deadlineMs - clock.nowMs()) / 10);
  const waiting = letters.values();
  let begun = 0;
  const lane = async (): Promise<void> => {
    for (const letter of waiting) {
      if (clock.nowMs() >= untilMs) return;
      begun += 1;
      await act(letter);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return begun;
}
