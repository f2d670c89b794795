import type { BacklogLocation } from "../backlog-location.ts";
import { isoOf, JSON_VERSION } from "../terminal/json.ts";
import type { Letter } from "./letter.ts";
import type { LetterFilter } from "./letter-filter.ts";
import type { LetterGroup } from "./letter-groups.ts";
import { type Letters, unlistedOf } from "./read-letters.ts";

/** First fields of every JSON answer. */
export function envelopeOf(
  kind: string,
  { name, region }: Pick<BacklogLocation, "name" | "region">,
  nowMs: number,
): Readonly<Record<string, unknown>> {
  return { version: JSON_VERSION, kind, backlog: name, region, takenAt: isoOf(nowMs) };
}

/** What was asked and what it was taken from. */
export function selectionJson(
  { letters: filter, group, limit }: LetterFilter,
  letters: Letters,
  { matched, taken }: { readonly matched: number; readonly taken: readonly Letter[] },
): Readonly<Record<string, unknown>> {
  return {
    filter: {
      partition: filter.partition,
      key: filter.key,
      reason: filter.reason,
      group,
      since: isoOf(filter.failedAfterMs),
      until: isoOf(filter.failedBeforeMs),
      limit,
    },
    matched,
    taken: taken.length,
    letters: lettersJson(letters),
  };
}

/** How many letters there are, and where. */
export function lettersJson(letters: Letters): Readonly<Record<string, unknown>> {
  return {
    held: letters.held,
    listed: letters.listed.length,
    notListed: unlistedOf(letters),
    discarded: letters.discarded,
    expired: letters.expired,
  };
}

export function letterJson(letter: Letter): Readonly<Record<string, unknown>> {
  const { id, key, partition, offset, generation, attempts, reason, group, fingerprint } = letter;
  return {
    id,
    key,
    partition,
    offset,
    generation,
    attempts,
    reason,
    group,
    fingerprint,
    messageId: letter.messageId,
    enqueuedAt: isoOf(letter.enqueuedAtMs),
    failedAt: isoOf(letter.failedAtMs),
    expiresAt: isoOf(letter.expiresAtMs),
  };
}

export function groupJson(group: LetterGroup): Readonly<Record<string, unknown>> {
  const { count, keys, someKeys, partitions, fingerprint, example } = group;
  return {
    group: group.group,
    fingerprint,
    example,
    count,
    keys,
    someKeys,
    partitions,
    firstSeen: isoOf(group.firstSeenMs),
    lastSeen: isoOf(group.lastSeenMs),
    nearestExpiry: isoOf(group.nearestExpiryAtMs),
  };
}
