import type { Clock } from "../clock.ts";
import { reasonOf } from "../dead-letter.ts";
import type { Act, ActRequest, Performed } from "./act.ts";
import { boundLetters } from "./act-letters.ts";

/** Keeps acts. Both methods throw where the outcome is not known. */
export interface ActLedger {
  begin(act: Act): Promise<void>;
  end(act: Act): Promise<void>;
}

export type ActPorts = {
  readonly acts: ActLedger;
  readonly clock: Pick<Clock, "nowMs">;
  /** Writes an act that ended to the log, as one line. */
  readonly log: (act: Act, trouble?: unknown) => void;
};

/** One invocation of a function that acts. */
export type ActRun = {
  /** Id of the act. */
  readonly runId: string;
  readonly startedAtMs: number;
  /** When the function will be stopped, in milliseconds since 1970. */
  readonly deadlineMs: number;
};

/** The act could not be put on record, so it was not done. */
export class ActNotRecordedError extends Error {
  override readonly name = "ActNotRecordedError";
}

/**
 * Does something only once it is on record that it was begun, and records how it ended. A process
 * that dies in between leaves an act that runs for ever, which `standingOf` calls interrupted.
 * @throws ActNotRecordedError where it was not begun, and whatever `perform` throws.
 */
export async function recordAct<Answer>(
  request: ActRequest,
  run: ActRun,
  perform: () => Promise<Performed<Answer>>,
  ports: ActPorts,
): Promise<Answer> {
  const begun = begunAct(request, run);
  await begin(begun, ports);
  try {
    const { answer, state, counts, letters, omitted = 0 } = await perform();
    const bound = boundLetters(letters);
    const all = { letters: bound.letters, omitted: bound.omitted + omitted };
    await end({ ...begun, state, counts, ...all }, ports);
    return answer;
  } catch (error) {
    await end({ ...begun, state: "failed", error: reasonOf(error) }, ports);
    throw error;
  }
}

function begunAct(request: ActRequest, { runId, startedAtMs, deadlineMs }: ActRun): Act {
  return {
    ...request,
    actId: runId,
    startedAtMs,
    endsByMs: deadlineMs,
    endedAtMs: undefined,
    state: "running",
    error: undefined,
    counts: {},
    letters: [],
    omitted: 0,
  };
}

async function begin(act: Act, { acts }: ActPorts): Promise<void> {
  try {
    await acts.begin(act);
  } catch (cause) {
    throw new ActNotRecordedError(
      `Expected the ledger to record that \`${act.operation}\` begins, got: ${reasonOf(cause)}. Nothing was touched; run again once it answers`,
      { cause },
    );
  }
}

/** What was done is done: where its end cannot be recorded, the log has it, and so has whoever asked. */
async function end(act: Act, { acts, clock, log }: ActPorts): Promise<void> {
  const ended = { ...act, endedAtMs: clock.nowMs() };
  try {
    await acts.end(ended);
    log(ended);
  } catch (trouble) {
    log(ended, trouble);
  }
}
