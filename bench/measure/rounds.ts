/** Figures of one contender, one a round, in the order of the rounds. */
export type Sample = readonly number[];

/** Measures once and says the figure of this round. */
export type Measure = () => Promise<number>;

/**
 * Measures all contenders in each round, so that what slows the machine down for a while slows all of
 * them, in an order that turns around from round to round. Warm-up rounds are not kept.
 * @param rounds from 1 and up
 */
export async function interleave<Name extends string>(
  contenders: Readonly<Record<Name, Measure>>,
  rounds: number,
  { warmUps = 1 }: { readonly warmUps?: number } = {},
): Promise<Readonly<Record<Name, Sample>>> {
  const names = Object.keys(contenders) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const figure = await contenders[name]();
      if (round >= 0) samples[name].push(figure);
    }
  }
  return samples;
}

/** The middle figure; the upper one of two in the middle. NaN of an empty sample. */
export function median(sample: Sample): number {
  return sample.toSorted((a, b) => a - b)[Math.floor(sample.length / 2)] ?? Number.NaN;
}

/** Median over the rounds of `one` divided by `other`: a round that was slow for both counts as any. */
export function ratio(one: Sample, other: Sample): number {
  return median(one.map((figure, round) => figure / (other[round] ?? Number.NaN)));
}
