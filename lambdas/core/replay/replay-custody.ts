import type { Held, LetterQueue } from "./replay-ports.ts";

/** Every letter that a run has received and neither removed nor given back. */
export type Custody = {
  /** @returns whether this letter was not in hand before. */
  readonly take: (letter: Held) => boolean;
  /** @throws where SQS does not confirm it; the letter then stays in custody. */
  readonly remove: (letter: Held) => Promise<void>;
  /** Makes all but `kept` visible again. Best effort: a letter that cannot be given back comes back
   *  by itself when its visibility timeout ends. */
  readonly giveBack: (kept: readonly Held[]) => Promise<void>;
  readonly size: () => number;
};

export function takeCustody(queue: LetterQueue): Custody {
  // Only handles: the bodies of a long queue would not fit in memory.
  const inHand = new Map<string, Held>();
  return {
    take({ messageId, receiptHandle }): boolean {
      const isNew = !inHand.has(messageId);
      inHand.set(messageId, { messageId, receiptHandle });
      return isNew;
    },
    async remove(letter): Promise<void> {
      await queue.remove(letter);
      inHand.delete(letter.messageId);
    },
    async giveBack(kept): Promise<void> {
      const staying = new Set(kept.map(({ messageId }) => messageId));
      const leaving = [...inHand.values()].filter(({ messageId }) => !staying.has(messageId));
      for (const { messageId } of leaving) inHand.delete(messageId);
      if (leaving.length > 0) await queue.giveBack(leaving).catch(() => undefined);
    },
    size: () => inHand.size,
  };
}
