import type { ActRun } from "../acts/record-act.ts";
import type { Custody } from "../replay/replay-custody.ts";
import type { Letter } from "../replay/replay-letter.ts";
import { renewLetter } from "../replay/replay-renewal.ts";
import { letterLanes } from "./letter-lanes.ts";
import { digestOf } from "./letter-payload.ts";
import type { LetterPorts } from "./letter-ports.ts";

/** Letters in hand that SQS moved into their partition's group: as long as they are in hand, they hide
 *  those behind them. */
export type MovedLetters = {
  /** Keeps those of a batch, and renews them where they become too much to hold. @returns the others.
   *  @throws as `renew`. */
  readonly setAside: (letters: readonly Letter[]) => Promise<readonly Letter[]>;
  /** Renews them into groups of their own, in which they are received again, and removes one whose
   *  renewal an earlier run did not end. @returns whether any went. @throws where the ledger fails. */
  readonly renew: () => Promise<boolean>;
  /** Those that are as they were. */
  readonly left: () => readonly Letter[];
};

/** Characters of the bodies kept: a function has 512 MiB, and a body up to one. */
const KEPT_CHARACTERS = 8 * 2 ** 20;

/** `stays` are letters that are somebody else's business. */
export function movedLetters(
  run: ActRun,
  custody: Custody,
  ports: Pick<LetterPorts, "letters" | "records" | "marks" | "clock">,
  stays: (letter: Letter) => boolean,
): MovedLetters {
  let waiting: Letter[] = [];
  const stuck: Letter[] = [];
  /** Contents of the letters that are in groups of their own, by record. */
  const others = new Map<string, string>();
  const isOut = async (letter: Letter, failures: Error[]): Promise<boolean> => {
    try {
      if (others.get(letter.record.id) === contentOf(letter))
        return await isRemoved(letter, custody);
      return (await renewLetter(letter, custody, ports)).kind === "renewed";
    } catch (error) {
      failures.push(error as Error);
      return false;
    }
  };
  const renew = async (): Promise<boolean> => {
    if (waiting.length === 0) return false;
    // To renew a withheld letter would list its record again.
    const withheld = new Set((await ports.marks.withheld()).map(({ id }) => id));
    const tried = waiting;
    waiting = [];
    let gone = 0;
    const failures: Error[] = [];
    const begun = await letterLanes(tried, run, ports.clock, async (letter) => {
      // No lane goes on behind an error: it ends the act.
      const isFree = failures.length === 0 && !withheld.has(letter.record.id);
      if (isFree && (await isOut(letter, failures))) gone += 1;
      else stuck.push(letter);
    });
    stuck.push(...tried.slice(begun));
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    return gone > 0;
  };
  return {
    async setAside(letters): Promise<readonly Letter[]> {
      const isMoved = (letter: Letter): boolean => letter.native && !stays(letter);
      waiting.push(...letters.filter(isMoved));
      const shown = letters.filter((letter) => !isMoved(letter));
      for (const letter of shown) {
        if (!letter.native) others.set(letter.record.id, contentOf(letter));
      }
      if (charactersOf(waiting) > KEPT_CHARACTERS) await renew();
      return shown;
    },
    renew,
    left: () => [...stuck, ...waiting],
  };
}

function charactersOf(letters: readonly Letter[]): number {
  return letters.reduce((sum, { delivery }) => sum + delivery.body.length, 0);
}

/** A digest, for the bodies of a long queue would not fit in memory. */
function contentOf({ record, delivery }: Letter): string {
  return `${record.generation} ${digestOf(delivery)}`;
}

async function isRemoved({ delivery }: Letter, custody: Custody): Promise<boolean> {
  return custody.remove(delivery).then(
    () => true,
    () => false,
  );
}
