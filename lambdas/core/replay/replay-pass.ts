import { reasonOf } from "../dead-letter.ts";
import { SQS_LIMITS } from "../limits.ts";
import type { Custody } from "./replay-custody.ts";
import { type Decision, decide } from "./replay-decision.ts";
import type { Gate } from "./replay-gate.ts";
import type { Letter } from "./replay-letter.ts";
import { type LetterLine, letterLine } from "./replay-line.ts";
import { replayMessage } from "./replay-message.ts";
import { type Pace, paceOf } from "./replay-pace.ts";
import type { ReplayPorts } from "./replay-ports.ts";
import type { ReplayRequest } from "./replay-request.ts";
import type { ReplayError } from "./replay-result.ts";
import type { Sent } from "./sent-letter.ts";

/** What came of acting on letters. */
export type Pass = {
  readonly sent: readonly Sent[];
  /** Removed without being sent. */
  readonly skipped: readonly Letter[];
  readonly errors: readonly ReplayError[];
  /** Letters that were kept for what they are. */
  readonly cannotRun: number;
  /** Whether the run ended before every letter had its turn. */
  readonly stopped: boolean;
};

export type PassTimes = {
  readonly runId: string;
  /** No letter is begun after this time. */
  readonly untilMs: number;
};

/**
 * Sends each partition's letters in the order given, in rounds: one letter of each partition worked
 * on, so that a round's sends can share a request and never hold two of one partition. A letter is
 * removed only once its successor is accepted or its record is known to be applied; whatever is not
 * known stops its partition, and the letter stays. Never throws.
 */
export async function replayLetters(
  partitions: readonly (readonly Letter[])[],
  request: Pick<ReplayRequest, "dryRun" | "ratePerSecond">,
  { gate, ...times }: PassTimes & { readonly gate: Gate },
  custody: Custody,
  ports: ReplayPorts,
): Promise<Pass> {
  const state: State = {
    ...times,
    dryRun: request.dryRun,
    pace: paceOf(request.ratePerSecond, ports.clock),
    sentKeys: new Map(),
    sent: [],
    skipped: [],
    errors: [],
    cannotRun: 0,
    stopped: false,
  };
  const waiting = partitions.map((letters) => letterLine(letters, ports));
  const width = lanesAt(request.ratePerSecond);
  let lanes = waiting.splice(0, width);
  while (lanes.length > 0) {
    const most = await gate.next(state.sent);
    if (most === 0 || ports.clock.nowMs() >= state.untilMs) {
      state.stopped = true;
      break;
    }
    const open = await replayRound(lanes.slice(0, most), state, custody, ports);
    const resting = lanes.slice(most);
    lanes = [...open, ...resting, ...waiting.splice(0, width - open.length - resting.length)];
  }
  return state;
}

/** Partitions worked on side by side: as many letters as one request to SQS carries, but no more than
 *  the rate gives in a fifth of a second, or a slow rate would come in bursts. */
function lanesAt(ratePerSecond: number): number {
  return Math.min(SQS_LIMITS.batchEntries, Math.max(1, Math.floor(ratePerSecond / 5)));
}

type State = PassTimes & {
  readonly dryRun: boolean;
  readonly pace: Pace;
  /** Key of each record sent in this pass, by id. */
  readonly sentKeys: Map<string, string>;
  readonly sent: Sent[];
  readonly skipped: Letter[];
  readonly errors: ReplayError[];
  cannotRun: number;
  stopped: boolean;
};

/** Acts on the first letter of each line. @returns the lines that go on. */
async function replayRound(
  lines: readonly LetterLine[],
  state: State,
  custody: Custody,
  ports: ReplayPorts,
): Promise<readonly LetterLine[]> {
  const turns = await Promise.all(lines.map((line) => takeTurn(line, state)));
  const sends = turns.filter((turn) => turn?.decision.kind === "send").length;
  if (sends > 0 && !state.dryRun && !(await state.pace(state.untilMs, sends))) {
    state.stopped = true;
    return [];
  }
  const nexts = await Promise.all(
    turns.map((turn) => (turn === undefined ? "stop" : replayTurn(turn, state, custody, ports))),
  );
  return lines.filter((line, index) => nexts[index] === "next" && line.isOpen());
}

type TakenTurn = { readonly letter: Letter; readonly decision: Decision };

/** Undefined where the ledger does not answer: not knowing is never "not applied". */
async function takeTurn(line: LetterLine, state: State): Promise<TakenTurn | undefined> {
  const letter = line.head();
  try {
    const standing = await line.standing();
    line.advance();
    const decision = isCopyOfSent(letter, state)
      ? ({ kind: "remove", listed: false } as const)
      : decide(letter, standing);
    return { letter, decision };
  } catch (error) {
    stopFor(letter, error, state);
    return undefined;
  }
}

async function replayTurn(
  { letter, decision }: TakenTurn,
  state: State,
  custody: Custody,
  ports: ReplayPorts,
): Promise<"next" | "stop"> {
  try {
    switch (decision.kind) {
      case "keep":
        state.cannotRun += 1;
        state.errors.push({ id: letter.record.id, error: decision.error });
        return "next";
      case "remove":
        return await removeApplied(letter, decision.listed, state, custody, ports);
      case "send":
        return await send(letter, decision.generation, state, custody, ports);
      default:
        return decision satisfies never;
    }
  } catch (error) {
    return stopFor(letter, error, state);
  }
}

function stopFor({ record }: Letter, error: unknown, { errors }: State): "stop" {
  errors.push({
    id: record.id,
    error: `the ledger did not answer, so the letter stays and its partition waits: ${reasonOf(error)}`,
  });
  return "stop";
}

/** A crash between two steps may leave two letters of one record; one of them is enough. */
function isCopyOfSent({ record }: Letter, { sentKeys }: State): boolean {
  return sentKeys.get(record.id) === record.key;
}

async function removeApplied(
  letter: Letter,
  listed: boolean,
  state: State,
  custody: Custody,
  { records }: ReplayPorts,
): Promise<"next"> {
  if (!state.dryRun) {
    // Before the letter goes: else a crash would leave the record listed as dead for ever.
    if (listed) await records.markApplied(letter.record, { onlyExisting: true });
    await remove(letter, "settled", state, custody);
  }
  state.skipped.push(letter);
  return "next";
}

async function send(
  letter: Letter,
  generation: number,
  state: State,
  custody: Custody,
  { source }: ReplayPorts,
): Promise<"next" | "stop"> {
  const { id, key } = letter.record;
  if (!state.dryRun) {
    const outcome = await source.send(replayMessage(letter, generation, state.runId));
    if (outcome.kind === "refused") {
      state.errors.push({ id, error: `the source queue refused it: ${outcome.reason}` });
      return "next";
    }
    if (outcome.kind === "unknown") {
      state.errors.push({
        id,
        error: `it is not known whether the source queue took it (${outcome.reason}); the letter stays and its partition waits: run again`,
      });
      return "stop";
    }
  }
  state.sentKeys.set(id, key);
  state.sent.push({ letter, generation });
  if (!state.dryRun) await remove(letter, "sent", state, custody);
  return "next";
}

async function remove(
  { delivery, record }: Letter,
  done: "sent" | "settled",
  state: State,
  custody: Custody,
): Promise<void> {
  try {
    await custody.remove(delivery);
  } catch (error) {
    state.errors.push({
      id: record.id,
      error: `${done}, but its letter could not be removed (${reasonOf(error)}); a later run settles it`,
    });
  }
}
