import { grouped } from "../letters/letters-text.ts";
import { printable } from "../terminal/printable.ts";
import { shellQuote } from "../terminal/shell-quote.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { isStopped, type LineOutcome, type PublishTotals } from "./publish-totals.ts";
import type { PublishingLocation } from "./publishing-location.ts";

/** How a publish ended, beside its totals. */
export type PublishEnd = {
  readonly dryRun: boolean;
  readonly interrupted: boolean;
  /** Where the lines came from; undefined for stdin. */
  readonly file?: string | undefined;
};

/** The totals as people read them, the next command last. */
export function publishText(
  totals: PublishTotals,
  end: PublishEnd,
  { name, partitions }: PublishingLocation,
  terminal: Terminal,
): string {
  const { published, refused, refusedLines, failed, unsent, lines } = totals;
  const used = totals.byPartition.filter((count) => count > 0);
  const did = end.dryRun ? "may be published, none was" : "published";
  const title = `${counted(published, "record")} ${did}, of ${counted(lines, "line")}`;
  return [
    terminal.paint("title", title),
    ...(used.length === 0 ? [] : [spreadText(used, partitions)]),
    ...listText("Refused", refused, refusedLines.slice(0, REFUSED_SHOWN)),
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
  const each = least === most ? "" : `${grouped(least ?? 0)} to `;
  return `By partition: ${grouped(used.length)} of ${grouped(partitions)} used, ${each}${counted(most ?? 0, "record")} each`;
}

/** Refused lines that people are shown; the JSON form has more. What failed or was not sent is shown
 *  to the last line: it is less than a slice, and nothing else knows the ids that were made for it. */
const REFUSED_SHOWN = 20;

function listText(what: string, count: number, shown: readonly LineOutcome[]): readonly string[] {
  if (count === 0) return [];
  const more = count - shown.length;
  const rest = more > 0 ? [`  and ${grouped(more)} more`] : [];
  return [`${what}: ${counted(count, "line")}`, ...shown.map(outcomeText), ...rest];
}

function counted(count: number, what: string): string {
  return `${grouped(count)} ${count === 1 ? what : `${what}s`}`;
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

function nextAfterPublish({ dryRun, file = "-" }: PublishEnd, name: string): string {
  return dryRun
    ? `npx backlogorder publish ${name} ${shellQuote(pathOf(file))}`
    : `npx backlogorder status ${name}`;
}

/** A file whose name looks like an option, which `-` alone is not. */
function pathOf(file: string): string {
  return file.startsWith("-") && file !== "-" ? `./${file}` : file;
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
