import { fingerprintOf, groupIdOf } from "../fingerprint.ts";
import type { RecordRef } from "../ledger.ts";

/** Which letters a replay takes: those that meet every condition given. None given = all. */
export type ReplayFilter = {
  readonly partition?: number | undefined;
  readonly key?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Part of the reason's text, letter case included. */
  readonly reason?: string | undefined;
  /** Group of the reason: 8 hexadecimal digits that its fingerprint gives. */
  readonly group?: string | undefined;
  /** Milliseconds since 1970; a letter of this very time is taken. */
  readonly failedAfterMs?: number | undefined;
  /** Milliseconds since 1970; a letter of this very time is not taken. */
  readonly failedBeforeMs?: number | undefined;
};

/** What a filter looks at, of a letter or of the ledger's item of a dead record. */
export type Filterable = Pick<RecordRef, "id" | "key" | "partition"> & {
  readonly reason: string | undefined;
  readonly failedAtMs: number | undefined;
};

export function matchesFilter(filter: ReplayFilter, letter: Filterable): boolean {
  return (
    (filter.partition === undefined || filter.partition === letter.partition) &&
    (filter.key === undefined || filter.key === letter.key) &&
    (filter.ids === undefined || filter.ids.includes(letter.id)) &&
    (filter.reason === undefined || (letter.reason ?? "").includes(filter.reason)) &&
    (filter.group === undefined || filter.group === groupOf(letter.reason)) &&
    failedWithin(filter, letter.failedAtMs)
  );
}

function groupOf(reason: string | undefined): string {
  return groupIdOf(fingerprintOf(reason ?? ""));
}

function failedWithin(
  { failedAfterMs, failedBeforeMs }: ReplayFilter,
  failedAtMs: number | undefined,
): boolean {
  if (failedAfterMs === undefined && failedBeforeMs === undefined) return true;
  return (
    failedAtMs !== undefined &&
    failedAtMs >= (failedAfterMs ?? 0) &&
    failedAtMs < (failedBeforeMs ?? Number.POSITIVE_INFINITY)
  );
}
