import type { Message } from "@aws-sdk/client-sqs";

export type PollLimits = {
  /** Messages of one receive, 1 to 10. */
  readonly batchSize: number;
  /** Batches that may be polled for or handled at once. */
  readonly maximumConcurrency: number;
};

export type Backoff = {
  /** After the first failed batch or poll; doubled with each further one. */
  readonly baseMs: number;
  readonly capMs: number;
};

export type PollerPorts = {
  readonly limits: () => PollLimits;
  /** A long poll. @throws if it fails or is aborted. */
  readonly receive: (messagesMax: number, signal: AbortSignal) => Promise<readonly Message[]>;
  /** False if the function failed, which slows the polling down. Never rejects. */
  readonly deliver: (messages: readonly Message[]) => Promise<boolean>;
  readonly onPollError: (error: unknown) => void;
  readonly backoff: Backoff;
};

export type QueuePoller = {
  start(): void;
  /** Aborts the polls, and resolves when the last running batch is done. */
  stop(): Promise<void>;
};

/** Lambda starts with five pollers a queue.
 *  https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const POLLERS = 5;

/** Has no more batches polled for or handled at once than its maximum concurrency. A batch for which
 *  Lambda has no room then, since others use it, waits received: `deliver` is to try for as long as the
 *  visibility timeout lasts, as Lambda's pollers do.
 *  https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html */
export function createQueuePoller(ports: PollerPorts): QueuePoller {
  let aborter: AbortController | undefined;
  let pause: NodeJS.Timeout | undefined;
  let failures = 0;
  let polls = 0;
  let deliveries = 0;
  const underWay = new Set<Promise<void>>();

  const track = (work: Promise<void>): void => {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  };

  const settle = (healthy: boolean): void => {
    failures = healthy ? 0 : failures + 1;
    if (healthy || aborter === undefined || pause !== undefined) return;
    const { baseMs, capMs } = ports.backoff;
    const resume = (): void => {
      pause = undefined;
      pump();
    };
    pause = setTimeout(resume, Math.min(capMs, baseMs * 2 ** (failures - 1)));
  };

  const deliver = async (messages: readonly Message[]): Promise<void> => {
    deliveries += 1;
    settle(await ports.deliver(messages));
    deliveries -= 1;
    pump();
  };

  const poll = async (signal: AbortSignal): Promise<void> => {
    polls += 1;
    let messages: readonly Message[] = [];
    try {
      messages = await ports.receive(ports.limits().batchSize, signal);
    } catch (error) {
      if (!signal.aborted) {
        ports.onPollError(error);
        settle(false);
      }
    }
    polls -= 1;
    if (messages.length > 0) track(deliver(messages));
    pump();
  };

  const pump = (): void => {
    if (aborter === undefined || pause !== undefined) return;
    const { maximumConcurrency } = ports.limits();
    while (polls < POLLERS && polls + deliveries < maximumConcurrency) {
      track(poll(aborter.signal));
    }
  };

  return {
    start(): void {
      aborter ??= new AbortController();
      pump();
    },
    async stop(): Promise<void> {
      aborter?.abort();
      aborter = undefined;
      clearTimeout(pause);
      pause = undefined;
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
