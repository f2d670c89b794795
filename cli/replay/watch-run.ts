import { setTimeout } from "node:timers/promises";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { totalOf } from "../../lambdas/core/backlog.ts";
import { readLedgerLocks } from "../consumer/ledger-locks.ts";
import { ledgerAt } from "../session.ts";
import { cancelRun } from "./cancel-run.ts";
import type { Interaction, Progress } from "./interaction.ts";
import type { Run } from "./run.ts";

export type Watched = {
  readonly run: Run;
  /** Letters that the run would take. */
  readonly planned: number;
  readonly interaction: Interaction;
};

export type Watch = {
  readonly onResult: (taken: number) => void;
  readonly isInterrupted: () => boolean;
};

/**
 * Shows how far a run is, and makes Ctrl-C cancel it: the function then sends no further letter and
 * answers with what it did. A second Ctrl-C ends the command as usual, and the run goes on.
 */
export async function watchRun<T>(
  { run, planned, interaction }: Watched,
  running: (watch: Watch) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const interrupted = new AbortController();
  const { errors } = run.session;
  const progress = interaction.progress(planned);
  let cancelling: Promise<void> | undefined;
  const stopListening = interaction.onInterrupt(() => {
    stopListening();
    interrupted.abort();
    errors.write(
      "\nCancelling: no further letter is sent, and those that were are followed to their end. Ctrl-C again leaves the run alone.",
    );
    cancelling = cancelOwn(run, ended.signal).catch((error: unknown) => {
      errors.write(
        `The run could not be cancelled: ${error}. To do: npx backlogorder replay cancel ${run.location.name}`,
      );
    });
  });
  const polling = progress && poll(run, planned, progress, ended.signal);
  try {
    return await running({
      onResult: (taken) => progress?.set(Math.min(taken, planned)),
      isInterrupted: () => interrupted.signal.aborted,
    });
  } finally {
    ended.abort();
    await Promise.all([cancelling, polling]);
    progress?.end();
    stopListening();
  }
}

const LOOK_EVERY_MS = 2000;

/** The function says nothing until it ends, so the dead-letter queue is looked at meanwhile. */
async function poll(
  { session, location }: Run,
  planned: number,
  progress: Progress,
  ended: AbortSignal,
): Promise<void> {
  const held = async (): Promise<number> =>
    totalOf(await readQueueSize(session.clients.sqs, location.letterQueueUrl));
  try {
    const before = await held();
    for (;;) {
      await setTimeout(LOOK_EVERY_MS, undefined, { signal: ended });
      progress.set(Math.max(0, Math.min(planned, before - (await held()))));
    }
  } catch {
    // The end of the run, or a queue that cannot be looked at: the run's own answer counts.
  }
}

const TRY_EVERY_MS = 500;

/** The run's id is known from its lease, which it takes a moment after it was started. */
async function cancelOwn(
  { session, location, requestedBy }: Run,
  ended: AbortSignal,
): Promise<void> {
  // A run lasts longer than the moment at which the command was started.
  const ledger = { ...ledgerAt(session, location), nowMs: Date.now };
  while (!ended.aborted) {
    const { replay } = await readLedgerLocks(ledger);
    if (replay?.who === requestedBy) {
      const { runId } = replay;
      if (await cancelRun(session, location, { runId, requestedBy })) return;
    }
    await setTimeout(TRY_EVERY_MS);
  }
}
