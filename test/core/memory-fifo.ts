import type { Delivery, MessageAttributes } from "../../lambdas/core/record.ts";
import type { OutgoingMessage } from "../../lambdas/core/replay/replay-ports.ts";
import type { VirtualClock } from "./virtual-clock.ts";

type Stored = {
  readonly messageId: string;
  readonly group: string;
  readonly sequenceNumber: string;
  readonly sentAtMs: number;
  readonly body: string;
  readonly attributes: MessageAttributes;
  receives: number;
  firstReceivedAtMs: number;
  visibleAtMs: number;
  receiptHandle: string;
};

const DEDUPLICATION_MS = 300_000;

/** The rules of one FIFO queue with de-duplication per group, in virtual time. */
export class MemoryFifo {
  readonly stored: Stored[] = [];
  readonly #clock: VirtualClock;
  readonly #name: string;
  readonly #accepted = new Map<string, { readonly messageId: string; readonly atMs: number }>();
  #counter = 0;

  constructor(name: string, clock: VirtualClock) {
    this.#name = name;
    this.#clock = clock;
  }

  /** MessageId; that of the earlier message where the de-duplication id is known. */
  send({ body, attributes, group, deduplicationId }: OutgoingMessage): string {
    const known = JSON.stringify([group, deduplicationId]);
    const earlier = this.#accepted.get(known);
    const nowMs = this.#clock.nowMs();
    if (earlier !== undefined && nowMs - earlier.atMs < DEDUPLICATION_MS) return earlier.messageId;
    const messageId = `${this.#name}-${++this.#counter}`;
    this.#accepted.set(known, { messageId, atMs: nowMs });
    this.put({ messageId, group, body, attributes });
    return messageId;
  }

  /** As SQS itself puts a message, by its own redrive: the MessageId is kept. */
  put(
    message: Pick<Stored, "messageId" | "group" | "body" | "attributes"> & Partial<Stored>,
  ): void {
    this.#counter += 1;
    this.stored.push({
      sequenceNumber: String(18_860_000_000_000_000_000n + BigInt(this.#counter)),
      sentAtMs: this.#clock.nowMs(),
      receives: 0,
      firstReceivedAtMs: 0,
      visibleAtMs: 0,
      receiptHandle: "",
      ...message,
    });
  }

  /** Each group up to its first invisible message, at most ten in all. */
  receive(visibilityMs: number): Delivery[] {
    const nowMs = this.#clock.nowMs();
    const received: Delivery[] = [];
    const shut = new Set<string>();
    for (const group of new Set(this.stored.map((message) => message.group))) {
      for (const message of this.stored) {
        if (message.group !== group || shut.has(group) || received.length === 10) continue;
        if (message.visibleAtMs > nowMs) shut.add(group);
        else received.push(this.#hand(message, nowMs + visibilityMs));
      }
    }
    return received;
  }

  remove(receiptHandle: string): void {
    this.stored.splice(this.stored.indexOf(this.#held(receiptHandle)), 1);
  }

  show(receiptHandle: string, afterMs = 0): void {
    this.#held(receiptHandle).visibleAtMs = this.#clock.nowMs() + afterMs;
  }

  size(): { readonly visible: number; readonly inFlight: number } {
    const nowMs = this.#clock.nowMs();
    const visible = this.stored.filter(({ visibleAtMs }) => visibleAtMs <= nowMs).length;
    return { visible, inFlight: this.stored.length - visible };
  }

  #hand(message: Stored, visibleAtMs: number): Delivery {
    message.receives += 1;
    message.firstReceivedAtMs ||= this.#clock.nowMs();
    message.visibleAtMs = visibleAtMs;
    message.receiptHandle = `${message.messageId}#${message.receives}`;
    const { visibleAtMs: _, ...delivery } = message;
    return delivery;
  }

  #held(receiptHandle: string): Stored {
    const message = this.stored.find((stored) => stored.receiptHandle === receiptHandle);
    if (message === undefined || message.visibleAtMs <= this.#clock.nowMs()) {
      throw new Error(`The receipt handle ${receiptHandle} has expired.`);
    }
    return message;
  }
}
