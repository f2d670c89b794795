import type { Clock } from "../clock.ts";
import type { Delivery } from "../record.ts";
import { letterId } from "../replay/replay-letter.ts";
import type { Held, LetterQueue } from "../replay/replay-ports.ts";
import type { LetterMarks } from "./withheld.ts";

/** A dead-letter queue as if it held no letter that is withheld. */
export type UnwithheldQueue = LetterQueue & {
  /** Gives back what was received and not shown. */
  readonly release: () => Promise<void>;
};

export type UnwithheldOptions = {
  readonly marks: LetterMarks;
  readonly partitions: number;
  readonly clock: Pick<Clock, "nowMs">;
  /** When the reader stops receiving: a receive that goes past withheld letters ends by then, too. */
  readonly untilMs: number;
};

/** Asks which records are withheld at the first receive, for a reader has its lease by then. */
export function withoutWithheld(
  queue: LetterQueue,
  { marks, partitions, clock, untilMs }: UnwithheldOptions,
): UnwithheldQueue {
  /** Only handles: the bodies of a long queue would not fit in memory. */
  const aside = new Map<string, Held>();
  let asked: Promise<ReadonlySet<string>> | undefined;
  const isShown = (delivery: Delivery, ids: ReadonlySet<string>): boolean => {
    if (!ids.has(letterId(delivery, partitions))) return true;
    const { messageId, receiptHandle } = delivery;
    aside.set(messageId, { messageId, receiptHandle });
    return false;
  };
  return {
    async receive(visibilitySeconds): Promise<readonly Delivery[]> {
      asked ??= withheldIds(marks);
      const ids = await asked;
      for (;;) {
        const batch = await queue.receive(visibilitySeconds);
        const shown = batch.filter((delivery) => isShown(delivery, ids));
        // To the reader an empty answer is an empty queue, which ten withheld letters are not; unless
        // its time is up, and then it does not take the queue for empty by the counts.
        if (shown.length > 0 || batch.length === 0 || clock.nowMs() >= untilMs) return shown;
      }
    },
    async size(): Promise<{ readonly visible: number; readonly inFlight: number }> {
      const { visible, inFlight } = await queue.size();
      return { visible, inFlight: Math.max(0, inFlight - aside.size) };
    },
    send: (message) => queue.send(message),
    remove: (letter) => queue.remove(letter),
    giveBack: (letters) => queue.giveBack(letters),
    async release(): Promise<void> {
      const held = [...aside.values()];
      aside.clear();
      if (held.length > 0) await queue.giveBack(held).catch(() => undefined);
    },
  };
}

async function withheldIds(marks: LetterMarks): Promise<ReadonlySet<string>> {
  return new Set((await marks.withheld()).map(({ id }) => id));
}
