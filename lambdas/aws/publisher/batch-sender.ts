import type { Clock } from "../../core/clock.ts";
import type { OutgoingMessage } from "../../core/wire/outgoing.ts";
import { type Batch, PartitionLines } from "./partition-lines.ts";
import { type QueueAddress, type SendOutcome, sendBatch } from "./send-batch.ts";

/** What became of one message for good. */
export type Delivered =
  | { readonly kind: "accepted"; readonly offset: string; readonly messageId: string | undefined }
  | { readonly kind: "failed"; readonly reason: string; readonly arrived: "no" | "unknown" }
  /** Not sent, because an earlier message of its partition failed. */
  | { readonly kind: "unsent"; readonly behindId: string };

export type BatchSenderOptions = QueueAddress & {
  readonly clock: Clock;
  /** 0 up to, but not, 1. */
  readonly random: () => number;
};

type Sending = {
  readonly message: OutgoingMessage;
  readonly settle: (delivered: Delivered) => void;
  tries: number;
  firstSentAtMs: number;
  arrived: "no" | "unknown";
  /** Why the last try did not bring it; empty before one. */
  lastReason: string;
};

const REQUESTS_MAX = 16;
const REQUEST_TIMEOUT_MS = 30_000;
const TRIES_MAX = 8;
const BACKOFF_BASE_MS = 100;
const BACKOFF_CAP_MS = 5000;
/** SQS forgets a de-duplication id after five minutes; the last minute is left for the request. */
const RESEND_WITHIN_MS = 4 * 60_000;
/** A smaller batch waits for company while another request is under way, at most this long: about
 *  one round trip, in which the other request's partitions come free. */
const COMPANY_WAIT_MS = 20;
const GOES_ALONE_ENTRIES = 5;

/**
 * Sends messages in full batches, partitions side by side, each partition in the order of the calls.
 * A message that may pass is tried again before anything behind it; one that cannot be sent takes
 * what waits behind it in its partition along, from whichever call it came.
 */
export class BatchSender {
  readonly #options: BatchSenderOptions;
  readonly #lines = new PartitionLines<Sending>();
  #requests = 0;
  #scheduled = false;
  #cancelWait: (() => void) | undefined;

  constructor(options: BatchSenderOptions) {
    this.#options = options;
  }

  /** Resolves when it is known what became of the message. Never rejects. */
  send(message: OutgoingMessage): Promise<Delivered> {
    return new Promise((settle) => {
      const untried = { tries: 0, firstSentAtMs: 0, arrived: "no", lastReason: "" } as const;
      this.#lines.add({ message, settle, ...untried });
      this.#schedule();
    });
  }

  /** Everything that is published in one turn of the event loop goes into the same batches. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#startRequests("mayWait");
    });
  }

  #startRequests(partial: "mayWait" | "goesNow"): void {
    while (this.#requests < REQUESTS_MAX) {
      const batch = this.#lines.take();
      if (batch.items.length === 0) return;
      if (partial === "mayWait" && this.#shouldWait(batch)) {
        this.#lines.putBack(batch.items);
        this.#waitForCompany();
        return;
      }
      this.#cancelWait?.();
      this.#cancelWait = undefined;
      void this.#request(batch.items);
    }
  }

  #shouldWait({ items, full }: Batch<Sending>): boolean {
    return !full && this.#requests > 0 && items.length < GOES_ALONE_ENTRIES;
  }

  #waitForCompany(): void {
    this.#cancelWait ??= this.#options.clock.after(COMPANY_WAIT_MS, () => {
      this.#cancelWait = undefined;
      this.#startRequests("goesNow");
    });
  }

  async #request(taken: readonly Sending[]): Promise<void> {
    const { clock } = this.#options;
    const items = taken.filter((item) => this.#isInTime(item));
    if (items.length === 0) return;
    for (const item of items) {
      item.tries += 1;
      if (item.tries === 1) item.firstSentAtMs = clock.nowMs();
    }
    this.#requests += 1;
    const outcomes = await this.#send(items.map(({ message }) => message));
    this.#requests -= 1;
    const again = items.filter((item, index) => this.#isTriedAgain(item, outcomes[index]));
    // Those that failed together come back together, so that they can share a request again.
    for (const [tries, together] of Map.groupBy(again, (item) => item.tries)) {
      this.#tryLater(together, tries);
    }
    this.#startRequests("mayWait");
  }

  /** Asked at the moment of sending: a repeat that was planned in time may have waited for a free
   *  request since, and SQS would take it for a new message. */
  #isInTime(item: Sending): boolean {
    const agoMs = this.#options.clock.nowMs() - item.firstSentAtMs;
    if (item.tries === 0 || agoMs <= RESEND_WITHIN_MS) return true;
    const agoSeconds = Math.round(agoMs / 1000);
    this.#giveUp(
      item,
      `${item.lastReason} (after ${triesOf(item)}, the first ${agoSeconds} s ago: SQS might no longer know a repeat)`,
    );
    return false;
  }

  async #send(messages: readonly OutgoingMessage[]): Promise<readonly SendOutcome[]> {
    const controller = new AbortController();
    const cancel = this.#options.clock.after(REQUEST_TIMEOUT_MS, () => {
      controller.abort(new Error(`SQS did not answer within ${REQUEST_TIMEOUT_MS / 1000} s`));
    });
    const outcomes = await sendBatch(this.#options, messages, controller.signal);
    cancel();
    return outcomes;
  }

  #isTriedAgain(item: Sending, outcome: SendOutcome | undefined): boolean {
    switch (outcome?.kind) {
      case "accepted":
        this.#lines.remove(item);
        item.settle(outcome);
        return false;
      case "refused":
        this.#giveUp(item, outcome.reason);
        return false;
      default:
        return this.#isTriedAfterUnknown(item, outcome?.reason ?? "SQS did not answer");
    }
  }

  #isTriedAfterUnknown(item: Sending, reason: string): boolean {
    item.arrived = "unknown";
    item.lastReason = reason;
    const nextMs = this.#options.clock.nowMs() + backoffMs(item.tries);
    if (item.tries < TRIES_MAX && nextMs <= item.firstSentAtMs + RESEND_WITHIN_MS) return true;
    this.#giveUp(item, `${reason} (after ${triesOf(item)})`);
    return false;
  }

  #tryLater(items: readonly Sending[], tries: number): void {
    const { clock, random } = this.#options;
    clock.after(backoffMs(tries) * (1 - random() / 2), () => {
      this.#lines.putBack(items);
      this.#schedule();
    });
  }

  #giveUp(item: Sending, reason: string): void {
    const behind = this.#lines.giveUp(item);
    item.settle({ kind: "failed", reason, arrived: item.arrived });
    for (const { settle } of behind) settle({ kind: "unsent", behindId: item.message.id });
  }
}

function triesOf({ tries }: Sending): string {
  return tries === 1 ? "1 try" : `${tries} tries`;
}

function backoffMs(tries: number): number {
  return Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (tries - 1));
}
