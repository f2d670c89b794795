import { formatDuration } from "../terminal/duration.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { describeFilter, type LetterFilter } from "./letter-filter.ts";
import { type Letters, unlistedOf } from "./read-letters.ts";

/** First lines of each verb over letters: how many of how many, and by which filter. */
export function headingOf(
  taken: number,
  matched: number,
  filter: LetterFilter,
  terminal: Terminal,
): string {
  const options = describeFilter(filter);
  const title = taken === matched ? counted(matched) : `${grouped(taken)} of ${counted(matched)}`;
  const lines = [terminal.paint("title", title)];
  if (options !== "") lines.push(terminal.paint("quiet", `Filter: ${options}`));
  return lines.join("\n");
}

/** What the list of backlog `name` leaves out, a line each; none where it is complete. */
export function remarksOn(letters: Letters, name: string): readonly string[] {
  const { listed, expired, held, discarded } = letters;
  const others = Math.max(0, held - discarded);
  const unlisted = unlistedOf(letters);
  const remarks: string[] = [];
  if (unlisted > 0) {
    remarks.push(
      `The dead-letter queue holds ${grouped(unlisted)} more that the ledger does not list: SQS moved them, or they cannot be read. \`${listingCommand(name)}\` lists them.`,
    );
  }
  if (others < listed.length) {
    remarks.push(
      `The dead-letter queue holds only about ${grouped(others)} of them: the others are being replayed, or were deleted by hand, or SQS counts late.`,
    );
  }
  if (discarded > 0) {
    remarks.push(
      `${grouped(discarded)} more ${discarded === 1 ? "is" : "are"} discarded: \`npx backlogorder letters discarded ${name}\`.`,
    );
  }
  if (expired > 0) {
    remarks.push(
      `${grouped(expired)} more ${expired === 1 ? "has" : "have"} expired, so that nothing is left to replay: \`npx backlogorder replay plan ${name} --all\` names ${expired === 1 ? "it" : "them"}.`,
    );
  }
  return remarks;
}

/** Has the ledger list letters that SQS moved. */
export function listingCommand(name: string): string {
  return `npx backlogorder letters renew ${name} --all --expiring-within 14d --why '...'`;
}

/** `3h20m`, or `unknown`. */
export function ageText(momentMs: number | undefined, nowMs: number): string {
  return momentMs === undefined
    ? "unknown"
    : `${formatDuration(Math.max(0, nowMs - momentMs))} ago`;
}

/** Time until a moment: `in 3d04h`, `now` where it is past, or `unknown`. */
export function untilText(momentMs: number | undefined, nowMs: number): string {
  if (momentMs === undefined) return "unknown";
  return momentMs <= nowMs ? "now" : `in ${formatDuration(momentMs - nowMs)}`;
}

/** A count with its thousands apart. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

function counted(count: number): string {
  return `${grouped(count)} ${count === 1 ? "dead letter" : "dead letters"}`;
}
