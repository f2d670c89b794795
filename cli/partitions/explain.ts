import type { BacklogLocation } from "../backlog-location.ts";
import { locateBacklog } from "../backlog-location.ts";
import { CommandError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { attemptsAllowed } from "../letters/attempts-allowed.ts";
import { envelopeOf, letterJson } from "../letters/letters-json.ts";
import { ageText, grouped } from "../letters/letters-text.ts";
import { recordCommand } from "../record-command.ts";
import type { Session } from "../session.ts";
import { blockedJson } from "../status/blocked-json.ts";
import { nextTryOf, nextTryText } from "../status/next-try.ts";
import { isoOf, jsonOf } from "../terminal/json.ts";
import { formatMoment } from "../terminal/moment.ts";
import { printable } from "../terminal/printable.ts";
import { shellQuote } from "../terminal/shell-quote.ts";
import { explainKey, type KeyExplanation, type LastApplied } from "./explain-key.ts";

/**
 * `explain [name] --key K`: where a key goes, what stands in its way, and what was applied there.
 * @throws CommandError for the empty key, which no publisher sends.
 */
export async function explain(name: string, key: string, session: Session): Promise<number> {
  if (key === "") throw emptyKey();
  const { clients, terminal, json, nowMs } = session;
  const location = await locateBacklog(clients.ssm, name);
  const explanation = await explainKey(key, session, location);
  const next = nextCommand(explanation, name);
  if (json) {
    terminal.write(
      jsonOf({
        ...envelopeOf("explain", location, nowMs),
        ...explanationJson(explanation, location, nowMs),
        next,
      }),
    );
    return EXIT_CODES.ok;
  }
  const { partition } = explanation;
  const title = `Key ${printable(key)} is in partition ${partition} of ${location.partitions}`;
  terminal.write(terminal.paint("title", title));
  for (const [label, value] of factsOf(explanation, location, nowMs)) {
    terminal.write(`  ${label.padEnd(LABEL)}${value}`);
  }
  terminal.write(LIMITS);
  terminal.write(`Next: ${next}`);
  return EXIT_CODES.ok;
}

const LABEL = 16;

const LIMITS =
  "Not known: records that wait and never failed (SQS cannot be asked by key), and by key those applied with effects, after a retry or a replay (`trace <id>` finds each by its id).";

function factsOf(
  explanation: KeyExplanation,
  location: BacklogLocation,
  nowMs: number,
): readonly (readonly [label: string, value: string])[] {
  const { hash, head, key, letters, otherLetters, applied, waiting } = explanation;
  return [
    ["hash", `${hex(hash)} (FNV-1a 32)`],
    ["blocked", head === undefined ? notBlocked(waiting) : headText(head, key, location, nowMs)],
    [
      "letters",
      `${grouped(letters.length)} of this key, ${grouped(otherLetters)} of other keys in the partition`,
    ],
    ["partition went", partitionText(applied, nowMs)],
    ["key went", keyText(applied, nowMs)],
  ];
}

function headText(
  head: NonNullable<KeyExplanation["head"]>,
  key: string,
  location: BacklogLocation,
  nowMs: number,
): string {
  const whose = head.key === key ? "of this key" : `of key ${printable(head.key)}`;
  return [
    `yes, by ${printable(head.id)} ${whose}`,
    `attempts ${head.attempts} of ${attemptsAllowed(head.generation, location.maxAttempts)}`,
    `next try ${nextTryText(nextTryOf(head, location, nowMs), nowMs)}`,
    printable(head.reason ?? "reason not recorded"),
  ].join(", ");
}

function notBlocked(waiting: number): string {
  return waiting === 0
    ? "no, the source queue is empty"
    : "no record of the partition failed; records may wait their turn";
}

function partitionText({ inPartitionMs }: LastApplied, nowMs: number): string {
  return inPartitionMs === undefined
    ? NO_ENTRY
    : `${momentText(inPartitionMs, nowMs)}, last by its batch entries`;
}

/** So it is where handlers return effects, whose records have items of their own. */
const NO_ENTRY = "not known: the partition has no batch entry";

function keyText({ ofHashMs, searchedAll, inPartitionMs }: LastApplied, nowMs: number): string {
  if (ofHashMs !== undefined) {
    return `${momentText(ofHashMs, nowMs)}, by its hash, which another key may share`;
  }
  if (inPartitionMs === undefined) return NO_ENTRY;
  return searchedAll
    ? "not in any batch entry of the partition"
    : "not in the newest 10,000 batch entries of the partition";
}

function momentText(momentMs: number, nowMs: number): string {
  return `${formatMoment(momentMs)} (${ageText(momentMs, nowMs)})`;
}

function hex(hash: number): string {
  return `0x${hash.toString(16).padStart(8, "0")}`;
}

function explanationJson(
  { key, partition, hash, head, waiting, letters, otherLetters, applied }: KeyExplanation,
  location: BacklogLocation,
  nowMs: number,
): Readonly<Record<string, unknown>> {
  const ageMs = head === undefined ? 0 : Math.max(0, nowMs - head.enqueuedAtMs);
  return {
    key,
    partition,
    partitions: location.partitions,
    hash: hex(hash),
    blocked: head !== undefined,
    head: head && blockedJson({ ...head, ageMs }, location, nowMs),
    waitingInAll: waiting,
    letters: letters.map(letterJson),
    otherLetters,
    lastApplied: {
      inPartition: isoOf(applied.inPartitionMs),
      ofKeyHash: isoOf(applied.ofHashMs),
      searchedAll: applied.searchedAll,
    },
  };
}

function nextCommand({ key, letters, head }: KeyExplanation, name: string): string {
  const [first] = letters;
  if (first !== undefined) {
    return `npx backlogorder letters list ${name} --key ${shellQuote(key)}`;
  }
  return head === undefined
    ? `npx backlogorder status ${name}`
    : recordCommand("trace", head.id, `--name ${name}`);
}

function emptyKey(): CommandError {
  return new CommandError({
    code: "bad-key",
    message: "Expected `--key` to name a key, got the empty text",
    remedy: "give the key as the publisher sends it, capitals and spaces included",
  });
}
