import type { Clock } from "../../lambdas/core/clock.ts";
import type { Delivery, MessageAttributes } from "../../lambdas/core/record.ts";
import type { OutgoingMessage } from "../../lambdas/core/replay/replay-ports.ts";

/** A message as the model's queue keeps it. */
export type Message = Pick<
  Delivery,
  "messageId" | "body" | "attributes" | "sequenceNumber" | "sentAtMs"
> & {
  readonly group: string;
  receives: number;
  visibleAtMs: number;
  receiptHandle: string;
  firstReceivedAtMs: number;
};

/** Where SQS itself moves a message at the receive after its last allowed one. */
export type Redrive = { readonly maxReceiveCount: number; readonly move: (one: Message) => void };

const DEDUPLICATION_MS = 300_000;

/** SQS FIFO in memory, by the delivery rule that AWS shows: walk a group from its oldest message and
 *  hand out the visible prefix. */
export class FifoQueue {
  messages: Message[] = [];
  readonly #name: string;
  readonly #clock: Clock;
  readonly #redrive: Redrive | undefined;
  readonly #accepted = new Map<string, { readonly messageId: string; readonly atMs: number }>();
  #sent = 0;
  #handles = 0;

  constructor(name: string, clock: Clock, redrive?: Redrive) {
    this.#name = name;
    this.#clock = clock;
    this.#redrive = redrive;
  }

  /** MessageId; that of the earlier message where the de-duplication id is known in its group. */
  send({ body, attributes, group, deduplicationId }: OutgoingMessage): string {
    const known = `${group} ${deduplicationId}`;
    const nowMs = this.#clock.nowMs();
    const earlier = this.#accepted.get(known);
    if (earlier !== undefined && nowMs - earlier.atMs < DEDUPLICATION_MS) return earlier.messageId;
    const messageId = `${this.#name}${this.#sent + 1}`;
    this.#accepted.set(known, { messageId, atMs: nowMs });
    this.put({ messageId, group, body, attributes });
    return messageId;
  }

  /** As SQS itself puts a message when it moves one. */
  put(message: Pick<Message, "messageId" | "group" | "body" | "attributes">): void {
    this.#sent += 1;
    this.messages.push({
      messageId: message.messageId,
      group: message.group,
      body: message.body,
      attributes: message.attributes,
      sequenceNumber: String(18_860_000_000_000_000_000n + BigInt(this.#sent)),
      sentAtMs: this.#clock.nowMs(),
      receives: 0,
      visibleAtMs: 0,
      receiptHandle: "",
      firstReceivedAtMs: 0,
    });
  }

  /** Up to `most` messages, of the groups in an order that `random` draws. */
  receive(most: number, visibilityMs: number, random: () => number): Delivery[] {
    const nowMs = this.#clock.nowMs();
    const out: Delivery[] = [];
    for (const group of this.#groups(nowMs, random)) {
      for (const message of group) {
        if (out.length === most || message.visibleAtMs > nowMs) break;
        if (message.receives === this.#redrive?.maxReceiveCount) this.#moveAway(message);
        else out.push(this.#hand(message, nowMs, visibilityMs));
      }
    }
    return out;
  }

  /** False where the handle is not the message's last one, or has expired. */
  show(receiptHandle: string, afterMs = 0): boolean {
    const message = this.#held(receiptHandle);
    if (message !== undefined) message.visibleAtMs = this.#clock.nowMs() + afterMs;
    return message !== undefined;
  }

  /** The message that is gone now; undefined where {@link show} would say false. */
  remove(receiptHandle: string): Message | undefined {
    const message = this.#held(receiptHandle);
    if (message !== undefined) this.messages.splice(this.messages.indexOf(message), 1);
    return message;
  }

  /** When the first message comes into sight that is hidden now. */
  nextSightMs(): number | undefined {
    const nowMs = this.#clock.nowMs();
    let next: number | undefined;
    for (const { visibleAtMs } of this.messages) {
      if (visibleAtMs > nowMs && (next === undefined || visibleAtMs < next)) next = visibleAtMs;
    }
    return next;
  }

  /** Groups whose first message can be seen; from a drawn one on. */
  #groups(nowMs: number, random: () => number): readonly (readonly Message[])[] {
    const groups = [...Map.groupBy(this.messages, ({ group }) => group).values()].filter(
      ([first]) => first !== undefined && first.visibleAtMs <= nowMs,
    );
    if (groups.length < 2) return groups;
    const from = Math.floor(random() * groups.length);
    return [...groups.slice(from), ...groups.slice(0, from)];
  }

  #held(receiptHandle: string): Message | undefined {
    const nowMs = this.#clock.nowMs();
    return this.messages.find(
      (one) => one.receiptHandle === receiptHandle && one.visibleAtMs > nowMs,
    );
  }

  #hand(message: Message, nowMs: number, visibilityMs: number): Delivery {
    this.#handles += 1;
    message.receives += 1;
    message.receiptHandle = `h${this.#handles}`;
    message.visibleAtMs = nowMs + visibilityMs;
    message.firstReceivedAtMs ||= nowMs;
    return { ...message };
  }

  #moveAway(message: Message): void {
    this.messages.splice(this.messages.indexOf(message), 1);
    this.#redrive?.move(message);
  }
}

/** The id that a message carries. */
export function idIn({ attributes }: { readonly attributes: MessageAttributes }): string {
  return attributes["id"]?.stringValue ?? "";
}
