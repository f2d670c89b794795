import type { Applied, Standing } from "../ledger.ts";
import type { BacklogRecord } from "../record.ts";
import type { Arrival } from "../wire/arrival.ts";
import { attemptRecord, type Verdict } from "./attempt.ts";
import { countAttempt } from "./count-attempt.ts";
import type { DrainPorts, Invocation } from "./drain-ports.ts";
import { countAndFail, die, type Failed, fail } from "./fail-record.ts";
import { countedAttempts, isDeadAs, isSettled } from "./standing.ts";
import {
  type Candidate,
  type Outcome,
  SETTLED,
  settledElsewhere,
  subjectOf,
  type Turn,
} from "./turn.ts";
import { uncharged } from "./uncharged.ts";

/**
 * Takes one record as far as it goes: settled already, no time left, unreadable, counted, handled,
 * recorded. The order of these steps is what keeps the promises; see docs/decisions.
 * @throws where the ledger or the dead-letter queue fails or its answer is unknown.
 */
export function drainRecord<Effect>(
  candidate: Candidate,
  invocation: Invocation,
  ports: DrainPorts<Effect>,
): Promise<Outcome> {
  const { arrival, standing } = candidate;
  const turn: Turn<Effect> = {
    arrival,
    standing,
    careful: isCareful(arrival),
    attemptId: `${invocation.id}:${arrival.delivery.messageId}`,
    // A replay has one attempt, so that an operator's replay never stalls live traffic.
    attemptsMax: arrival.replayed ? 1 : ports.settings.maxAttempts,
    invocation,
    ports,
  };
  if (standing !== undefined && isSettled(arrival, standing)) return acknowledge(turn, standing);
  if (lacksTime(turn)) return Promise.resolve(outOfTime(turn));
  const fault = faultOf(turn);
  if (fault !== undefined) return die(turn, countedAttempts(arrival, standing?.item), fault);
  return turn.careful ? handleCounted(turn) : handleFirst(turn);
}

/** Whether its attempt is counted before the call: it was received before, or is a replay. */
export function isCareful({ delivery, replayed }: Arrival): boolean {
  return delivery.receives > 1 || replayed;
}

async function acknowledge<Effect>(turn: Turn<Effect>, standing: Standing): Promise<Outcome> {
  const { arrival, ports } = turn;
  // An item that is not there needs no mark, and a refused write costs as much as any.
  if (standing.entry === "named" && standing.item !== undefined) {
    // Else an item of an earlier failure would be listed as blocked for ever.
    await ports.ledger.markApplied(arrival.identity, { onlyExisting: true });
  }
  return settledElsewhere(turn, isDeadAs(arrival, standing.item) ? "dead" : "settled");
}

/** Whether a call that begins now might not come to its end in this invocation. */
function lacksTime<Effect>({ invocation, ports }: Turn<Effect>): boolean {
  const { handlerTimeoutSeconds, deadlineMarginSeconds } = ports.settings;
  const neededMs = (handlerTimeoutSeconds + deadlineMarginSeconds) * 1000;
  return invocation.deadlineMs - ports.clock.nowMs() < neededMs;
}

function outOfTime<Effect>({ arrival, ports }: Turn<Effect>): Outcome {
  ports.report({ kind: "outOfTime", ...subjectOf(arrival) });
  return { kind: "outOfTime" };
}

/** Why a record may not be handed to the handler at all. */
function faultOf<Effect>({ arrival, standing, ports }: Turn<Effect>): string | undefined {
  const { content, identity, delivery } = arrival;
  if (content.kind === "malformed") return content.reason;
  if (delivery.group !== undefined && delivery.group !== String(identity.partition)) {
    return `misrouted: key belongs to ${identity.partition} of ${ports.settings.partitions}, came in ${delivery.group}`;
  }
  if (standing?.entry === "unknown") {
    return "cannot tell whether it was applied: its offset is unknown and the ledger holds too many entries to search";
  }
  return undefined;
}

/** Received before, or a replay: counted before the call, so that a record which kills the process
 *  is charged for it. */
async function handleCounted<Effect>(turn: Turn<Effect>): Promise<Outcome> {
  const { arrival, attemptsMax, ports } = turn;
  const attempt = await uncharged(turn, () =>
    countAttempt(arrival, turn.standing?.item, turn.attemptId, ports.ledger),
  );
  if (typeof attempt !== "number") return settledElsewhere(turn, attempt);
  if (attempt > attemptsMax) {
    return uncharged(turn, () => die(turn, attempt - 1, usedUp(turn, attempt - 1)));
  }
  // The count itself may have been slow.
  if (lacksTime(turn)) {
    await ports.ledger.uncount(arrival.identity, turn.attemptId);
    return outOfTime(turn);
  }
  const verdict = await call(turn, attempt);
  if (verdict.kind === "failed") return fail(turn, attempt, verdict);
  if (verdict.effects.length > 0) return apply(turn, attempt, verdict.effects);
  // At once, before the next call: else a killer behind it would use up this one's attempts.
  await uncharged(turn, () => ports.ledger.markApplied(arrival.identity));
  return delivered(turn, SETTLED);
}

/** Why a record dies that has no attempt left. With more calls than the maximum allows, that was
 *  lowered in between, and the last failure is the reason. */
function usedUp<Effect>({ standing, attemptsMax }: Turn<Effect>, calls: number): string {
  const known = standing?.item?.reason;
  if (known !== undefined && calls > attemptsMax) return known;
  const attempts = calls === 1 ? "1 attempt" : `${calls} attempts`;
  const before = known === undefined ? "" : `; the last known failure: ${known}`;
  return `no outcome after ${attempts} (crash or time-out)${before}`;
}

/** First receive: no ledger call before the handler. If this crashes, the next receive is counted. */
async function handleFirst<Effect>(turn: Turn<Effect>): Promise<Outcome> {
  const { arrival, ports } = turn;
  const verdict = await call(turn, countedAttempts(arrival, turn.standing?.item) + 1);
  if (verdict.kind === "failed") return countAndFail(turn, verdict);
  if (verdict.effects.length > 0) return apply(turn, undefined, verdict.effects);
  const { id, key, offset } = arrival.identity;
  if (offset === undefined) {
    // A batch entry is found by offset; a record without one needs an item of its own.
    await ports.ledger.markApplied(arrival.identity);
    return delivered(turn, SETTLED);
  }
  return delivered(turn, { kind: "remembered", record: { id, key, offset } });
}

function call<Effect>(turn: Turn<Effect>, attempt: number): Promise<Verdict<Effect>> {
  const { arrival, ports, invocation } = turn;
  const { handlerTimeoutSeconds, deadlineMarginSeconds } = ports.settings;
  const limits = {
    timeoutMs: handlerTimeoutSeconds * 1000,
    lastMs: invocation.deadlineMs - deadlineMarginSeconds * 1000,
  };
  return attemptRecord(ports.handle, recordOf(arrival, attempt), attempt, limits, ports.clock);
}

function recordOf({ identity, content }: Arrival, attempt: number): BacklogRecord {
  if (content.kind === "malformed") throw new RangeError("Expected a readable record");
  const { payload, attributes } = content;
  return { ...identity, payload, attributes, attempts: attempt - 1 };
}

async function apply<Effect>(
  turn: Turn<Effect>,
  attempt: number | undefined,
  effects: readonly Effect[],
): Promise<Outcome> {
  const { arrival, ports } = turn;
  const write = (): Promise<Applied> => ports.ledger.applyWithEffects(arrival.identity, effects);
  const applied = attempt === undefined ? await write() : await uncharged(turn, write);
  switch (applied.kind) {
    case "applied":
      return delivered(turn, SETTLED);
    case "already":
      return settledElsewhere(turn);
    case "refused":
    case "forbidden": {
      const failure: Failed = {
        kind: "failed",
        reason: applied.reason,
        poison: applied.kind === "forbidden",
        abandoned: false,
      };
      return attempt === undefined ? countAndFail(turn, failure) : fail(turn, attempt, failure);
    }
    default:
      return applied satisfies never;
  }
}

function delivered<Effect>({ arrival, ports }: Turn<Effect>, outcome: Outcome): Outcome {
  const ageMs = Math.max(0, ports.clock.nowMs() - arrival.identity.enqueuedAtMs);
  ports.report({ kind: "delivered", ...subjectOf(arrival), ageMs });
  return outcome;
}
