import { Heap } from "heap-js";
import { SQS_LIMITS } from "../../core/limits.ts";
import type { OutgoingMessage } from "../../core/wire/outgoing.ts";

/** Something that waits to be sent. */
export type Queued = { readonly message: OutgoingMessage };

export type Batch<T> = {
  readonly items: readonly T[];
  /** Whether waiting could not add to it: by count, or because what is ready is too large. */
  readonly full: boolean;
};

/** Lines that are passed over at most because their head is too large for what is left of a batch. */
const PASSED_OVER_MAX = 20;

/** Turns by which each message in a line puts it ahead, and the messages that count. */
const LEAD_PER_ITEM = SQS_LIMITS.batchEntries;
const LEAD_ITEMS_MAX = 100;

type Line<T> = { readonly items: T[]; turn: number };

/**
 * One line of messages per partition, of which only the head may be on its way. A line that gave its
 * head to a batch is out of sight until that head is removed, put back or given up, so a batch never
 * holds two messages of one partition, and no two requests do.
 */
export class PartitionLines<T extends Queued> {
  readonly #lines = new Map<number, Line<T>>();
  readonly #ready = new Heap<Line<T>>((a, b) => a.turn - b.turn);
  #turns = 0;

  /** Puts an item at the tail of its partition's line. */
  add(item: T): void {
    const { partition } = item.message;
    const line = this.#lines.get(partition);
    if (line === undefined) {
      const fresh = { items: [item], turn: 0 };
      this.#lines.set(partition, fresh);
      this.#queue(fresh);
    } else {
      line.items.push(item);
    }
  }

  /** Heads of ready lines, at most 10 and at most the bytes of one request; empty where none is. */
  take(): Batch<T> {
    const items: T[] = [];
    const passedOver: Line<T>[] = [];
    let bytes = 0;
    while (items.length < SQS_LIMITS.batchEntries && passedOver.length < PASSED_OVER_MAX) {
      const line = this.#ready.pop();
      const head = line?.items[0];
      if (line === undefined || head === undefined) break;
      if (bytes + head.message.bytes > SQS_LIMITS.messageBytes) {
        passedOver.push(line);
      } else {
        bytes += head.message.bytes;
        items.push(head);
      }
    }
    for (const line of passedOver) this.#ready.push(line);
    return { items, full: items.length === SQS_LIMITS.batchEntries || passedOver.length > 0 };
  }

  /** The items were not accepted: each is still the head of its line and may be taken again. */
  putBack(items: readonly T[]): void {
    for (const { message } of items) {
      const line = this.#lines.get(message.partition);
      if (line !== undefined) this.#queue(line);
    }
  }

  /** The item was accepted: the next of its line may be taken. */
  remove(item: T): void {
    const { partition } = item.message;
    const line = this.#lines.get(partition);
    if (line === undefined) return;
    line.items.shift();
    if (line.items.length === 0) this.#lines.delete(partition);
    else this.#queue(line);
  }

  /** The item will never be accepted. Clears its line and answers with those that stood behind it. */
  giveUp(item: T): readonly T[] {
    const { partition } = item.message;
    const behind = this.#lines.get(partition)?.items.slice(1) ?? [];
    this.#lines.delete(partition);
    return behind;
  }

  /** First come, first served, but long lines are ahead by their length: when lines run out one by
   *  one, enough are left for full batches. The lead is bounded, so that no short line starves. */
  #queue(line: Line<T>): void {
    this.#turns += 1;
    line.turn = this.#turns - LEAD_PER_ITEM * Math.min(line.items.length, LEAD_ITEMS_MAX);
    this.#ready.push(line);
  }
}
