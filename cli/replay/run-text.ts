import { grouped } from "../letters/letters-text.ts";
import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import type { RunReport } from "./run-report.ts";

/** What a run came to as people read it: exactly what half happened. */
export function runText(report: RunReport, terminal: Terminal): string {
  const { outcome, failures, errors } = report;
  return [
    `${terminal.paint(TONES[outcome], outcome.toUpperCase())} ${headline(report)}`,
    tableOf(
      [{ title: "letters", align: "right" }, { title: "" }],
      rows(report).map(([count, text]) => [grouped(count), text]),
    ),
    ...(failures.length === 0 ? [] : [failureTable(report, terminal)]),
    ...errors.slice(0, ROWS).map(({ id, error }) => `  ${printable(id)}: ${printable(error)}`),
    ...(errors.length > ROWS ? [`  and ${grouped(errors.length - ROWS)} more of these`] : []),
    terminal.paint("quiet", `Run ${report.runIds.join(", ")}`),
  ].join("\n");
}

/** What is said where the plan takes no letter. */
export function emptyText(report: RunReport): string {
  const left = rows(report).slice(1);
  return ["Nothing to replay.", ...left.map(([count, text]) => `  ${grouped(count)} ${text}`)].join(
    "\n",
  );
}

/** Rows of a list; the JSON form has all that the function answered. */
const ROWS = 10;

const TONES: Readonly<Record<RunReport["outcome"], Tone>> = {
  done: "ok",
  unfinished: "warn",
  stopped: "page",
  cancelled: "warn",
  unknown: "page",
};

function headline(report: RunReport): string {
  const { outcome, planned, replayed, stopped, error } = report;
  const part = `${grouped(replayed)} of ${grouped(planned)} letters were applied`;
  switch (outcome) {
    case "done":
      return part;
    case "unfinished":
      return report.truncated ? `${part}; more letters match than could be taken now` : part;
    case "stopped":
      return `${failures(stopped?.failures ?? 0)} failed again with \`${printable(stopped?.fingerprint ?? "")}\`: the fix is not live. ${part}`;
    case "cancelled":
      return `${part}, then the run was cancelled`;
    case "unknown":
      return `${part}, then no answer came (${error?.code}): ${error?.message}. To do: ${error?.remedy}.`;
    default:
      return outcome satisfies never;
  }
}

function failures(count: number): string {
  return `${grouped(count)} ${count === 1 ? "letter" : "letters"}`;
}

function rows(report: RunReport): readonly (readonly [count: number, text: string])[] {
  const { replayed, skipped, failed, pending, left } = report;
  const taken = replayed + skipped + failed + pending;
  const all: readonly (readonly [number, string])[] = [
    [skipped, "skipped: applied before, removed without being sent"],
    [failed, "failed again: back among the dead letters with the new reason"],
    [pending, "pending: sent and not settled yet; they are in the source queue and safe"],
    [left.overtaken, "left: overtaken by later records of their keys (--overtaken sends them)"],
    [left.held, "left: held behind an earlier letter of their key that was not chosen"],
    [left.cannotRun, "left: cannot run"],
    [left.expired, "left: expired, SQS deleted their letters; a plan says what can be done"],
    [Math.max(0, report.planned - taken), "not sent: still among the dead letters"],
  ];
  return [[replayed, "replayed: sent and applied"], ...all.filter(([count]) => count > 0)];
}

function failureTable({ failures: groups }: RunReport, { width }: Terminal): string {
  return tableOf(
    [
      { title: "failed", align: "right" },
      { title: "for example" },
      { title: "old reason -> new reason" },
    ],
    groups
      .slice(0, ROWS)
      .map(({ count, example, oldReason, newReason }) => [
        grouped(count),
        printable(example),
        oldReason === newReason
          ? `${printable(newReason)} (as before)`
          : `${printable(oldReason) || "(no text)"} -> ${printable(newReason) || "(no text)"}`,
      ]),
    { width },
  );
}
