import type { Letter } from "./letter.ts";

/** A key with dead letters: a player or a guild that support has to answer. */
export type AffectedKey = {
  readonly key: string;
  readonly letters: number;
  /** Names of their groups, sorted. */
  readonly groups: readonly string[];
  readonly firstFailedAtMs: number | undefined;
  readonly lastFailedAtMs: number | undefined;
  /** When the first of them expires. */
  readonly nearestExpiryAtMs: number | undefined;
};

/** Keys by the number of their letters, the most first. */
export function affectedKeys(letters: readonly Letter[]): readonly AffectedKey[] {
  return [...Map.groupBy(letters, ({ key }) => key)]
    .map(([key, own]) => affectedKey(key, own))
    .toSorted((left, right) => right.letters - left.letters || (left.key < right.key ? -1 : 1));
}

function affectedKey(key: string, letters: readonly Letter[]): AffectedKey {
  const failed = knownMoments(letters.map(({ failedAtMs }) => failedAtMs));
  const expiries = knownMoments(letters.map(({ expiresAtMs }) => expiresAtMs));
  return {
    key,
    letters: letters.length,
    groups: [...new Set(letters.map(({ group }) => group))].toSorted(),
    firstFailedAtMs: failed.at(0),
    lastFailedAtMs: failed.at(-1),
    nearestExpiryAtMs: expiries.at(0),
  };
}

/** Ascending. */
function knownMoments(moments: readonly (number | undefined)[]): readonly number[] {
  return moments.filter((moment) => moment !== undefined).toSorted((left, right) => left - right);
}
