import type { Standing } from "../ledger.ts";
import type { Letter } from "./replay-letter.ts";
import type { ReplayPorts } from "./replay-ports.ts";

/** The letters of one partition that still wait for their turn, oldest first. */
export type LetterLine = {
  readonly isOpen: () => boolean;
  readonly head: () => Letter;
  /** What the ledger knows of the head. @throws where the ledger fails. */
  readonly standing: () => Promise<Standing | undefined>;
  readonly advance: () => void;
};

/** Records asked about together: of one partition, so that the ledger can answer by one range of its
 *  entries. More would be older news by their turn. */
const ASKED_TOGETHER = 50;

/** @param letters of one partition, at least one. */
export function letterLine(
  letters: readonly Letter[],
  { records }: Pick<ReplayPorts, "records">,
): LetterLine {
  let turn = 0;
  let askedFrom = 0;
  let standings: readonly Standing[] = [];
  const head = (): Letter => {
    const letter = letters[turn];
    if (letter !== undefined) return letter;
    throw new RangeError(`Expected a turn below ${letters.length}, got ${turn}`);
  };
  return {
    isOpen: () => turn < letters.length,
    head,
    async standing(): Promise<Standing | undefined> {
      if (turn >= askedFrom + standings.length) {
        const next = letters.slice(turn, turn + ASKED_TOGETHER).map(({ record }) => record);
        standings = await records.standings(next);
        askedFrom = turn;
      }
      return standings[turn - askedFrom];
    },
    advance(): void {
      turn += 1;
    },
  };
}
