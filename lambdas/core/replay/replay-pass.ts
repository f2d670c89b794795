import { reasonOf } from "../dead-letter.ts";
import type { Custody } from "./replay-custody.ts";
import { decide } from "./replay-decision.ts";
import type { Letter } from "./replay-letter.ts";
import { replayMessage } from "./replay-message.ts";
import { type Pace, paceOf } from "./replay-pace.ts";
import type { ReplayPorts } from "./replay-ports.ts";
import type { ReplayRequest } from "./replay-request.ts";
import type { ReplayError } from "./replay-result.ts";

/** A letter whose successor is in the source queue, or in a dry run would be. */
export type Sent = { readonly letter: Letter; readonly generation: number };

/** What came of acting on letters. */
export type Pass = {
  readonly sent: readonly Sent[];
  readonly skipped: number;
  readonly errors: readonly ReplayError[];
  /** Whether time ran out before every letter had its turn. */
  readonly stopped: boolean;
};

export type PassTimes = {
  readonly runId: string;
  /** No letter is begun after this time. */
  readonly untilMs: number;
};

/** Partitions worked on side by side: one letter takes about three calls of some 10 ms, and the
 *  default rate is 50 a second. */
const LANES = 8;

/**
 * Sends each partition's letters in the order given, partitions side by side. A letter is removed
 * only once its successor is accepted or its record is known to be applied; whatever is not known
 * stops its partition, and the letter stays. Never throws.
 */
export async function replayLetters(
  partitions: readonly (readonly Letter[])[],
  request: Pick<ReplayRequest, "dryRun" | "ratePerSecond">,
  times: PassTimes,
  custody: Custody,
  ports: ReplayPorts,
): Promise<Pass> {
  const state: State = {
    ...times,
    dryRun: request.dryRun,
    pace: paceOf(request.ratePerSecond, ports.clock),
    sentKeys: new Map(),
    sent: [],
    skipped: 0,
    errors: [],
    stopped: false,
  };
  const waiting = partitions.values();
  const lane = async (): Promise<void> => {
    // One iterator for all lanes: each takes the next partition when it is done with one.
    for (const letters of waiting) await replayPartition(letters, state, custody, ports);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return state;
}

type State = PassTimes & {
  readonly dryRun: boolean;
  readonly pace: Pace;
  /** Key of each record sent in this pass, by id. */
  readonly sentKeys: Map<string, string>;
  readonly sent: Sent[];
  skipped: number;
  readonly errors: ReplayError[];
  stopped: boolean;
};

async function replayPartition(
  letters: readonly Letter[],
  state: State,
  custody: Custody,
  ports: ReplayPorts,
): Promise<void> {
  for (const letter of letters) {
    if (ports.clock.nowMs() >= state.untilMs) {
      state.stopped = true;
      return;
    }
    const next = await replayLetter(letter, state, custody, ports);
    if (next === "stop") return;
  }
}

async function replayLetter(
  letter: Letter,
  state: State,
  custody: Custody,
  ports: ReplayPorts,
): Promise<"next" | "stop"> {
  const { id } = letter.record;
  try {
    const decision = isCopyOfSent(letter, state)
      ? ({ kind: "remove", listed: false } as const)
      : await decide(letter, ports);
    switch (decision.kind) {
      case "keep":
        state.errors.push({ id, error: decision.error });
        return "next";
      case "remove":
        return await removeApplied(letter, decision.listed, state, custody, ports);
      case "send":
        return await send(letter, decision.generation, state, custody, ports);
      default:
        return decision satisfies never;
    }
  } catch (error) {
    state.errors.push({
      id,
      error: `the ledger did not answer, so the letter stays and its partition waits: ${reasonOf(error)}`,
    });
    return "stop";
  }
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
  state.skipped += 1;
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
    if (!(await state.pace(state.untilMs))) {
      state.stopped = true;
      return "stop";
    }
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
