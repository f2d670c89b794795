import type { Letter } from "./letter.ts";

/** Letters of one fingerprint: probably of one fault. */
export type LetterGroup = {
  readonly group: string;
  readonly fingerprint: string;
  /** One letter's reason as it is. */
  readonly example: string | undefined;
  readonly count: number;
  /** Distinct keys. */
  readonly keys: number;
  /** The first few of them, in the order of the letters. */
  readonly someKeys: readonly string[];
  /** Ascending. */
  readonly partitions: readonly number[];
  readonly firstSeenMs: number | undefined;
  readonly lastSeenMs: number | undefined;
  /** When the first of them expires. */
  readonly nearestExpiryAtMs: number | undefined;
};

/** Letters by fingerprint, the largest group first. */
export function groupLetters(letters: readonly Letter[]): readonly LetterGroup[] {
  const groups = [...Map.groupBy(letters, ({ group }) => group).values()].map(groupOf);
  return groups.toSorted(
    (left, right) => right.count - left.count || compareTexts(left.fingerprint, right.fingerprint),
  );
}

const SOME_KEYS = 5;

function groupOf(letters: readonly Letter[]): LetterGroup {
  const [first] = letters;
  const keys = new Set(letters.map(({ key }) => key));
  const seen = letters.map(({ failedAtMs }) => failedAtMs);
  return {
    group: first?.group ?? "",
    fingerprint: first?.fingerprint ?? "",
    example: first?.reason,
    count: letters.length,
    keys: keys.size,
    someKeys: [...keys].slice(0, SOME_KEYS),
    partitions: [...new Set(letters.map(({ partition }) => partition))].toSorted((a, b) => a - b),
    firstSeenMs: extreme(seen, Math.min),
    lastSeenMs: extreme(seen, Math.max),
    nearestExpiryAtMs: extreme(
      letters.map(({ expiresAtMs }) => expiresAtMs),
      Math.min,
    ),
  };
}

function extreme(
  moments: readonly (number | undefined)[],
  pick: (left: number, right: number) => number,
): number | undefined {
  const known = moments.filter((moment) => moment !== undefined);
  const [first, ...rest] = known;
  return first === undefined ? undefined : rest.reduce((best, next) => pick(best, next), first);
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
