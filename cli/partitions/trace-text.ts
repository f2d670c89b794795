import { SEARCHED_ENTRIES } from "../../lambdas/aws/ledger/entry-names.ts";
import type { LedgerItem } from "../../lambdas/core/ledger.ts";
import type { BacklogLocation } from "../backlog-location.ts";
import { attemptsAllowed } from "../letters/attempts-allowed.ts";
import { ageText, untilText } from "../letters/letters-text.ts";
import { WITHHELD, withheldCommand } from "../letters/withheld-text.ts";
import { recordCommand } from "../record-command.ts";
import { planCommand } from "../replay-command.ts";
import { nextTryOf, nextTryText } from "../status/next-try.ts";
import { formatMoment } from "../terminal/moment.ts";
import { printable } from "../terminal/printable.ts";
import { shellQuote } from "../terminal/shell-quote.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ACTS_SEARCHED, type ActOnRecord } from "./acts-on-record.ts";
import type { Searched } from "./find-record.ts";
import type { Trace, Whereabouts } from "./trace-report.ts";

/** A trace as people read it: what became of the record first, the next command last. */
export function traceText(
  trace: Trace,
  location: BacklogLocation,
  terminal: Terminal,
  nowMs: number,
): string {
  const { id, state, withheld } = trace;
  const aside = withheld === undefined ? "" : `, ${WITHHELD[withheld]}`;
  return [
    terminal.paint("title", `Record ${printable(id)} ${STATES[state]}${aside}`),
    ...factsOf(trace, location, nowMs).map(([label, value]) => `  ${label.padEnd(LABEL)}${value}`),
    ...historyLines(trace, nowMs),
    `Next: ${nextAfterTrace(trace, location)}`,
  ].join("\n");
}

const STATES: Readonly<Record<Whereabouts, string>> = {
  applied: "was applied",
  retrying: "is in the source queue, being retried",
  dead: "is a dead letter",
  expired: "is dead, and SQS has deleted its letter",
  unknown: "is not known to the ledger",
};

const LABEL = 12;

type Fact = readonly [label: string, value: string];

function factsOf(trace: Trace, location: BacklogLocation, nowMs: number): readonly Fact[] {
  const { found } = trace;
  switch (found.kind) {
    case "item":
      return itemFacts(found.item, found.appliedAtMs, trace, location, nowMs);
    case "entry":
      return [
        ["applied", momentText(found.appliedAtMs, nowMs)],
        ["partition", `${found.partition} of ${location.partitions}`],
        ["known by", "a batch entry: at its first receive, without a failure"],
      ];
    case "none":
      return [
        ["searched", SEARCHES[found.searched]],
        ["so it", "waits and never failed, or was never published"],
        ["or", "was applied longer ago than the ledger remembers, or moved by SQS itself"],
      ];
    default:
      return found satisfies never;
  }
}

const SEARCHES: Readonly<Record<Searched, string>> = {
  not: "the record's own item; with `--key` also the batch entries of its partition",
  all: "the record's own item, and all batch entries that could name it",
  newest: `the record's own item, and the newest ${SEARCHED_ENTRIES.toLocaleString("en-US")} batch entries of its partition`,
};

function itemFacts(
  item: LedgerItem,
  appliedAtMs: number | undefined,
  { state, expiresAtMs }: Trace,
  location: BacklogLocation,
  nowMs: number,
): readonly Fact[] {
  const { key, partition, offset, generation, attempts, enqueuedAtMs, failedAtMs, reason } = item;
  const allowed = attemptsAllowed(generation, location.maxAttempts);
  const replays = generation === 0 ? "not replayed" : `replay ${generation}`;
  const facts: Fact[] = [
    ["key", printable(key)],
    ["partition", `${partition} of ${location.partitions}, offset ${offset ?? "unknown"}`],
    ["published", momentText(enqueuedAtMs, nowMs)],
    ["attempts", `${attempts} of ${allowed}, ${replays}`],
  ];
  if (state === "applied") return [["applied", momentText(appliedAtMs, nowMs)], ...facts];
  facts.push(["failed", momentText(failedAtMs, nowMs)]);
  facts.push(["reason", printable(reason ?? "not recorded")]);
  if (state === "retrying") {
    facts.push(["next try", nextTryText(nextTryOf(item, location, nowMs), nowMs)]);
  }
  if (expiresAtMs !== undefined) {
    facts.push(["expires", `${formatMoment(expiresAtMs)} (${untilText(expiresAtMs, nowMs)})`]);
  }
  return facts;
}

/** What was done to it, the newest act first. */
function historyLines({ acts, found }: Trace, nowMs: number): readonly string[] {
  if (found.kind !== "item") return [];
  if (acts.length === 0) return [`Acts: none of the newest ${ACTS_SEARCHED} names it`];
  return ["Acts:", ...acts.map((each) => `  ${actText(each, nowMs)}`)];
}

function actText({ act, letter }: ActOnRecord, nowMs: number): string {
  const { operation, who, why, startedAtMs } = act;
  const reasons =
    letter.newReason === undefined
      ? ""
      : ` (${printable(letter.oldReason ?? "unknown")} -> ${printable(letter.newReason)})`;
  return `${momentText(startedAtMs, nowMs)} ${printable(operation)}: ${printable(letter.outcome)}${reasons}, by ${printable(who ?? "unknown")}: ${printable(why ?? "no reason given")}`;
}

function momentText(momentMs: number | undefined, nowMs: number): string {
  return momentMs === undefined
    ? "at a time that is not known"
    : `${formatMoment(momentMs)} (${ageText(momentMs, nowMs)})`;
}

/** What to run next. */
export function nextAfterTrace(
  { id, state, found, withheld }: Trace,
  location: BacklogLocation,
): string {
  if (withheld !== undefined) return withheldCommand(id, withheld, location);
  if (state === "dead") return planCommand(location, id);
  const { name } = location;
  if (found.kind === "item" && state === "retrying") {
    return `npx backlogorder explain ${name} --key ${shellQuote(found.item.key)}`;
  }
  return found.kind === "none" && found.searched === "not"
    ? recordCommand("trace", id, `--name ${name} --key '<its key>'`)
    : `npx backlogorder status ${name}`;
}
