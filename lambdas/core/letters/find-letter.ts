import type { ActRun } from "../acts/record-act.ts";
import type { Custody } from "../replay/replay-custody.ts";
import type { Letter } from "../replay/replay-letter.ts";
import { type LetterPorts, LetterRefusedError } from "./letter-ports.ts";
import { searchLetters } from "./letter-search.ts";

/** All letters of one record: a crash between two steps leaves two. In hand. */
export type FoundLetters = { readonly copies: readonly Letter[]; readonly custody: Custody };

/**
 * Looks for every letter of one record.
 * @throws LetterRefusedError where another reader hides letters, or time ran out: there may be more.
 */
export function findLetter<T>(
  id: string,
  run: ActRun,
  ports: LetterPorts,
  then: (found: FoundLetters) => Promise<T>,
): Promise<T> {
  const copies: Letter[] = [];
  return searchLetters(
    run,
    ports,
    {
      look: async (letters) => {
        copies.push(...letters.filter(({ record }) => record.id === id));
        return "more";
      },
    },
    ({ custody, complete }) => {
      if (complete) return then({ copies, custody });
      throw new LetterRefusedError(
        `Not all letters of the dead-letter queue could be seen, so there may be another of record ${id}. Nothing was changed; run again once no other reader holds some`,
      );
    },
  );
}

/** @throws LetterRefusedError where the queue holds none. */
export function firstOf(id: string, { copies }: FoundLetters): Letter {
  const [first] = copies;
  if (first !== undefined) return first;
  throw new LetterRefusedError(
    `The dead-letter queue holds no letter of record ${id}: it was replayed, or expired, or was removed by hand. Compare the id`,
  );
}
