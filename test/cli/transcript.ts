import type { Ended } from "./transcript-stage.ts";

/** A line as it was typed and what came of it, with what moves from run to run made still. */
export function transcriptOf(line: string, { exitCode, out, errors }: Ended): string {
  const parts = [`$ ${line}`, still(out), still(errors), `(exit code ${exitCode})`];
  return `${parts.filter((part) => part !== "").join("\n")}\n`;
}

/** Times, ids, digests, generated names, and the widths of columns. */
function still(text: string): string {
  return text
    .trimEnd()
    .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g, "<id>")
    .replace(/\bplan-\d{8}T\d{6}Z-[0-9a-f]{8}\b/g, "<plan>")
    .replace(/\bdigest [0-9a-f]+/g, "digest <digest>")
    .replace(/\b\d{4}-\d{2}-\d{2}T[\d:]+Z/g, "<moment>")
    .replace(/(?<!line )\b\d+[dhms](?:\d\d[hms])?\b/g, "<time>")
    .replace(/Backlogorder-demo-\w+-\w+/g, "<function>")
    .replace(/^Alarms: .*$/m, "Alarms: ...")
    .replace(/(?<=\S) {2,}/g, "  ")
    .replace(/^ {2,}/gm, "  ");
}

/** How far a backlog had come when it was looked at: counts, which record was the head, and whether
 *  the ledger or SQS's metric, which names no partition, knew the oldest. */
export function withoutProgress(transcript: string): string {
  return transcript
    .replace(/^(PAGE oldest <time>), partition \d+ of 16/m, "$1")
    .replace(/^Waiting: \d+ records, [\d.]+ \w+ /m, "Waiting: <n> records, <size> ")
    .replace(HEAD, "<n> of 3  purchase-<n>  player:<n>  <when>  catalogue has no item phoenix")
    .replace(/^Dead letters: \d+/m, "Dead letters: <n>")
    .replace(/^( {2}[0-9a-f]{8}) {2}\d+ {2}\d+ /m, "$1  <n>  <n> ");
}

/** Where nothing is wrong any more: the page alarm is behind, and while it is on `status` leads on. */
export function withoutAlarms(transcript: string): string {
  return transcript.replace(
    /^Next: (?:nothing to do|aws lambda get-event-source-mapping .*)$/m,
    "Next: ...",
  );
}

/** With its next try, and the reason that it has no more while it is being tried. */
const HEAD =
  /\d of 3 {2}purchase-\d {2}player:\d+ {2}[^\n]*? {2}(?:catalogue has no item phoenix|not recorded: .* now)$/m;
