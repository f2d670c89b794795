import type { LedgerItem } from "../../lambdas/core/ledger.ts";
import { type BacklogLocation, locateBacklog } from "../backlog-location.ts";
import { CommandError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { planCommand } from "../replay-command.ts";
import { ledgerAt, type Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { formatMoment } from "../terminal/moment.ts";
import { printable } from "../terminal/printable.ts";
import { attemptsAllowed } from "./attempts-allowed.ts";
import { isExpired, type Letter, letterOf } from "./letter.ts";
import { envelopeOf, letterJson } from "./letters-json.ts";
import { ageText, listingCommand, untilText } from "./letters-text.ts";
import { findItem } from "./read-item.ts";
import { readRetentionMs } from "./read-letters.ts";
import { WITHHELD, withheldCommand } from "./withheld-text.ts";

/**
 * `letters show <id>`: all that the ledger knows of one record. Its payload is not read.
 * @throws CommandError where the ledger has no item of this id.
 */
export async function lettersShow(id: string, name: string, session: Session): Promise<number> {
  const { clients, terminal, nowMs, json } = session;
  const location = await locateBacklog(clients.ssm, name);
  const [found, retentionMs] = await Promise.all([
    findItem(ledgerAt(session, location), id),
    readRetentionMs(clients.sqs, location.letterQueueUrl),
  ]);
  if (found === undefined) throw unknownRecord(id, location);
  const { item } = found;
  const letter = letterOf(item, retentionMs);
  const state = standingOf(item, letter, nowMs);
  const withheld = state === "dead" ? found.withheld : undefined;
  if (json) {
    const shown = item.state === "dead" ? letter : { ...letter, expiresAtMs: undefined };
    const answer = {
      ...envelopeOf("letters-show", location, nowMs),
      letter: { state, withheld, ...letterJson(shown) },
    };
    terminal.write(jsonOf(answer));
    return EXIT_CODES.ok;
  }
  const aside = withheld === undefined ? "" : `, ${WITHHELD[withheld]}`;
  terminal.write(terminal.paint("title", `Record ${printable(id)} is ${STANDINGS[state]}${aside}`));
  for (const [label, value] of factsOf(letter, location, state, nowMs)) {
    terminal.write(`  ${label.padEnd(LABEL)}${value}`);
  }
  const next = withheld && withheldCommand(id, withheld, location);
  terminal.write(`Next: ${next ?? nextCommand(id, location, state)}`);
  return EXIT_CODES.ok;
}

type Standing = LedgerItem["state"] | "expired";

const STANDINGS: Readonly<Record<Standing, string>> = {
  dead: "a dead letter",
  expired: "dead, and SQS has deleted its letter",
  retrying: "in the source queue, being retried",
  applied: "applied",
};

const LABEL = 12;

function standingOf(item: LedgerItem, letter: Letter, nowMs: number): Standing {
  return item.state === "dead" && isExpired(letter, nowMs) ? "expired" : item.state;
}

function factsOf(
  letter: Letter,
  { partitions, maxAttempts }: BacklogLocation,
  state: Standing,
  nowMs: number,
): readonly (readonly [label: string, value: string])[] {
  const { generation, attempts, failedAtMs, expiresAtMs } = letter;
  const replays = generation === 0 ? "not replayed yet" : `replay ${generation}`;
  const facts: (readonly [string, string])[] = [
    ["key", printable(letter.key)],
    ["partition", `${letter.partition} of ${partitions}, offset ${letter.offset ?? "unknown"}`],
    ["attempts", `${attempts} of ${attemptsAllowed(generation, maxAttempts)}, ${replays}`],
    ["published", momentText(letter.enqueuedAtMs, nowMs)],
  ];
  if (state === "applied") return facts;
  facts.push(["failed", momentText(failedAtMs, nowMs)]);
  if (state === "dead" && expiresAtMs !== undefined) {
    facts.push(["expires", `${formatMoment(expiresAtMs)} (${untilText(expiresAtMs, nowMs)})`]);
  }
  facts.push(["reason", printable(letter.reason ?? "unknown")]);
  facts.push(["group", `${letter.group}  ${printable(letter.fingerprint)}`]);
  return facts;
}

function momentText(momentMs: number | undefined, nowMs: number): string {
  return momentMs === undefined
    ? "unknown"
    : `${formatMoment(momentMs)} (${ageText(momentMs, nowMs)})`;
}

function nextCommand(id: string, location: BacklogLocation, state: Standing): string {
  return state === "dead" ? planCommand(location, id) : `npx backlogorder status ${location.name}`;
}

function unknownRecord(id: string, { name }: BacklogLocation): CommandError {
  return new CommandError({
    code: "unknown-record",
    message: `The ledger of \`${name}\` has no item of record \`${printable(id)}\`: it never failed, SQS moved its message itself, or its time is over`,
    remedy: `check the id in \`npx backlogorder letters list ${name}\`; \`${listingCommand(name)}\` lists what SQS moved`,
  });
}
