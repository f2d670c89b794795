import type { Delivery } from "../../lambdas/core/record.ts";

/** A message as the model's queue keeps it. */
export type Message = Pick<Delivery, "messageId" | "body" | "attributes" | "sequenceNumber"> & {
  readonly group: string;
  receives: number;
  visibleAtMs: number;
  receiptHandle: string;
  firstReceivedAtMs: number;
};

/** SQS FIFO in memory, by the delivery rule that AWS shows: walk a group from its oldest message and
 *  hand out the visible prefix. */
export class FifoQueue {
  #messages: Message[] = [];
  #sent = 0;
  #handles = 0;

  send(message: Pick<Message, "body" | "attributes" | "group">): void {
    this.#sent += 1;
    this.#messages.push({
      ...message,
      messageId: `m${this.#sent}`,
      sequenceNumber: String(18_860_000_000_000_000_000n + BigInt(this.#sent)),
      receives: 0,
      visibleAtMs: 0,
      receiptHandle: "",
      firstReceivedAtMs: 0,
    });
  }

  receive(most: number, nowMs: number, visibilityMs: number): readonly Delivery[] {
    const blocked = new Set<string>();
    const out: Message[] = [];
    for (const message of this.#messages) {
      if (blocked.has(message.group)) continue;
      if (message.visibleAtMs > nowMs || out.length >= most) blocked.add(message.group);
      else out.push(message);
    }
    return out.map((message) => this.#hand(message, nowMs, visibilityMs));
  }

  /** Refused without a word where the handle is not the last one, or has expired. */
  setVisibility(receiptHandle: string, nowMs: number, seconds: number): void {
    const message = this.#held(receiptHandle, nowMs);
    if (message !== undefined) message.visibleAtMs = nowMs + seconds * 1000;
  }

  delete(receiptHandle: string, nowMs: number): void {
    const message = this.#held(receiptHandle, nowMs);
    if (message !== undefined) this.#messages = this.#messages.filter((one) => one !== message);
  }

  messages(): readonly Message[] {
    return this.#messages;
  }

  #held(receiptHandle: string, nowMs: number): Message | undefined {
    return this.#messages.find(
      (one) => one.receiptHandle === receiptHandle && one.visibleAtMs > nowMs,
    );
  }

  #hand(message: Message, nowMs: number, visibilityMs: number): Delivery {
    this.#handles += 1;
    message.receives += 1;
    message.receiptHandle = `h${this.#handles}`;
    message.visibleAtMs = nowMs + visibilityMs;
    message.firstReceivedAtMs ||= nowMs;
    const { visibleAtMs: _, ...delivery } = message;
    return { ...delivery, sentAtMs: nowMs };
  }
}
