import type { BacklogLocation } from "../backlog-location.ts";
import { grouped } from "../letters/letters-text.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { isStopped, type LineOutcome, type PublishTotals } from "./publish-totals.ts";

/** How a publish ended, beside its totals. */
export type PublishEnd = { readonly dryRun: boolean; readonly interrupted: boolean };

/** The totals as people read them, the next command last. */
export function publishText(
  totals: PublishTotals,
  end: PublishEnd,
  { name, partitions }: BacklogLocation,
  terminal: Terminal,
): string {
  const { published, refused, refusedLines, failed, unsent, lines } = totals;
  const used = totals.byPartition.filter((count) => count > 0);
  const did = end.dryRun ? "may be published, none was" : "published";
  const title = `${grouped(published)} ${published === 1 ? "record" : "records"} ${did}, of ${grouped(lines)} lines`;
  return [
    terminal.paint("title", title),
    ...(used.length === 0 ? [] : [spreadText(used, partitions)]),
    ...listText("Refused", refused, refusedLines),
    ...listText("Failed", failed.length, failed.map(withArrival)),
    ...listText("Not sent", unsent.length, unsent),
    ...stopText(totals, end),
    `Next: ${nextAfterPublish(end, name)}`,
  ].join("\n");
}

/** Counts of a few partitions say nothing; whether one has far more than the others does. */
function spreadText(used: readonly number[], partitions: number): string {
  const [least, most] = [used, used].map((counts, index) =>
    counts.reduce((left, right) => (index === 0 ? Math.min(left, right) : Math.max(left, right))),
  );
  return `By partition: ${grouped(used.length)} of ${grouped(partitions)} used, ${grouped(least ?? 0)} to ${grouped(most ?? 0)} records each`;
}

/** Lines of each kind that people are shown; the JSON form has more. */
const SHOWN = 20;

function listText(
  what: string,
  count: number,
  outcomes: readonly LineOutcome[],
): readonly string[] {
  if (count === 0) return [];
  const shown = outcomes.slice(0, SHOWN).map(outcomeText);
  const more = count - shown.length;
  const rest = more > 0 ? [`  and ${grouped(more)} more`] : [];
  return [`${what}: ${grouped(count)} ${count === 1 ? "line" : "lines"}`, ...shown, ...rest];
}

function outcomeText({ line, id, reason }: LineOutcome): string {
  const whose = id === undefined ? "" : ` (${printable(id)})`;
  return `  line ${line}${whose}: ${printable(reason)}`;
}

function withArrival(line: PublishTotals["failed"][number]): LineOutcome {
  const arrival = line.arrived === "unknown" ? "; SQS may have it" : "; SQS does not have it";
  return { ...line, reason: `${line.reason}${arrival}` };
}

function stopText(totals: PublishTotals, { interrupted }: PublishEnd): readonly string[] {
  if (!isStopped(totals) && !interrupted) return [];
  const first = `Stopped: nothing was read from line ${grouped(totals.lines + 1)} on.`;
  return isStopped(totals)
    ? [
        `${first} Publish the failed and unsent lines again in their order, with the ids shown, and then the rest.`,
      ]
    : [`${first} Publish the rest.`];
}

function nextAfterPublish({ dryRun }: PublishEnd, name: string): string {
  return dryRun ? `npx backlogorder publish ${name}` : `npx backlogorder status ${name}`;
}

/** The totals as scripts read them (docs/command.md). */
export function publishJson(
  totals: PublishTotals,
  end: PublishEnd,
  name: string,
): Readonly<Record<string, unknown>> {
  const { lines, published, byPartition, refused, refusedLines, failed, unsent } = totals;
  return {
    dryRun: end.dryRun,
    lines,
    published,
    byPartition: byPartition.flatMap((count, partition) =>
      count === 0 ? [] : [{ partition, count }],
    ),
    refused,
    refusedLines,
    failed,
    unsent,
    interrupted: end.interrupted,
    nextLine: isStopped(totals) || end.interrupted ? lines + 1 : undefined,
    next: nextAfterPublish(end, name),
  };
}
