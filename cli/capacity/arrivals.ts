import { seeded } from "../../lambdas/core/seeded.ts";

/** One published record. */
export type ArrivalMoment = { readonly atMs: number; readonly partition: number };

/** Records published at random moments (a Poisson process), each into a partition drawn by its
 *  share. The same seed gives the same records. */
export function* randomArrivals(
  ratePerSecond: number,
  shares: readonly number[],
  seed: number,
): Generator<ArrivalMoment> {
  const random = seeded(seed);
  const upTo = cumulated(shares);
  let atMs = 0;
  for (;;) {
    atMs += (-Math.log(1 - random()) * 1000) / ratePerSecond;
    yield { atMs, partition: placeOf(random(), upTo) };
  }
}

/** A backlog that lies ready at once, in the order of its publishing. */
export function* waitingBacklog(partitions: readonly number[]): Generator<ArrivalMoment> {
  for (const partition of partitions) yield { atMs: 0, partition };
}

function cumulated(shares: readonly number[]): readonly number[] {
  let sum = 0;
  return shares.map((share) => {
    sum += share;
    return sum;
  });
}

/** The first place whose sum is above the draw. */
function placeOf(draw: number, upTo: readonly number[]): number {
  let low = 0;
  let high = upTo.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((upTo[middle] ?? 1) > draw) high = middle;
    else low = middle + 1;
  }
  return low;
}
