import { Heap } from "heap-js";
import { SQS_LIMITS } from "../core/limits.ts";
import type { OutgoingMessage } from "../core/outgoing.ts";

/** Something that waits to be sent. */
export type Queued = { readonly message: OutgoingMessage };

export type Batch<T> = {
  readonly items: readonly T[];
  /** Whether waiting could not add to it: by count, or because what is ready is too large. */
  readonly full: boolean;
};

/** Lines that are passed over at most because their head is too large for what is left of a batch. */
const PASSED_OVER_MAX = 20;

type Line<T> = { readonly partition: number; readonly items: T[] };

/**
 * One line of messages per partition, of which only the head may be on its way. A line that gave its
 * head to a batch is out of sight until that head is removed, put back or given up, so a batch never
 * holds two messages of one partition, and no two requests do.
 */
export class PartitionLines<T extends Queued> {
  readonly #lines = new Map<number, Line<T>>();
  /** Longest line first: when lines run out one by one, batches of ten stay possible for longest. */
  readonly #ready = new Heap<Line<T>>((a, b) => b.items.length - a.items.length);
  #ordered = true;

  /** Puts an item at the tail of its partition's line. */
  add(item: T): void {
    const { partition } = item.message;
    const line = this.#lines.get(partition);
    if (line === undefined) {
      const fresh = { partition, items: [item] };
      this.#lines.set(partition, fresh);
      this.#ready.push(fresh);
    } else {
      line.items.push(item);
      this.#ordered = false;
    }
  }

  /** Heads of ready lines, at most 10 and at most the bytes of one request; empty where none is. */
  take(): Batch<T> {
    this.#order();
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

  /** The item was not accepted: it is the head of its line and may be taken again. */
  putBack(item: T): void {
    const line = this.#lines.get(item.message.partition);
    if (line !== undefined) this.#ready.push(line);
  }

  /** The item was accepted: the next of its line may be taken. */
  remove(item: T): void {
    const { partition } = item.message;
    const line = this.#lines.get(partition);
    if (line === undefined) return;
    line.items.shift();
    if (line.items.length === 0) this.#lines.delete(partition);
    else this.#ready.push(line);
  }

  /** The item will never be accepted. Clears its line and answers with those that stood behind it. */
  giveUp(item: T): readonly T[] {
    const { partition } = item.message;
    const behind = this.#lines.get(partition)?.items.slice(1) ?? [];
    this.#lines.delete(partition);
    return behind;
  }

  #order(): void {
    if (this.#ordered) return;
    this.#ready.init();
    this.#ordered = true;
  }
}
