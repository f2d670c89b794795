import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import type { LetterGroup } from "./letter-groups.ts";
import { ageText, grouped, untilText } from "./letters-text.ts";

/** The groups as a table, as `status` shows them too. */
export function groupTable(
  groups: readonly LetterGroup[],
  nowMs: number,
  width: number | undefined,
): string {
  return tableOf(
    [
      { title: "group" },
      { title: "letters", align: "right" },
      { title: "keys", align: "right" },
      { title: "partitions", align: "right" },
      { title: "first seen" },
      { title: "last seen" },
      { title: "expires" },
      { title: "reason" },
    ],
    groups.map((group) => [
      group.group,
      grouped(group.count),
      grouped(group.keys),
      partitionsText(group.partitions),
      ageText(group.firstSeenMs, nowMs),
      ageText(group.lastSeenMs, nowMs),
      untilText(group.nearestExpiryAtMs, nowMs),
      printable(group.fingerprint) || "(no text)",
    ]),
    { width },
  );
}

const PARTITIONS_SHOWN = 3;

function partitionsText(partitions: readonly number[]): string {
  return partitions.length <= PARTITIONS_SHOWN
    ? partitions.join(", ")
    : `${partitions.slice(0, PARTITIONS_SHOWN - 1).join(", ")} +${partitions.length - PARTITIONS_SHOWN + 1}`;
}
