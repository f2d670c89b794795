import type { ActRun } from "../acts/record-act.ts";
import type { Delivery } from "../record.ts";
import { type Custody, takeCustody } from "../replay/replay-custody.ts";
import { isUnmarked, type Letter, letterId, readLetter } from "../replay/replay-letter.ts";
import { waitMs } from "../replay/replay-pace.ts";
import type { LetterPorts } from "./letter-ports.ts";
import { type MovedLetters, movedLetters } from "./moved-letters.ts";

/** Looks after an empty receive: SQS's counts lag behind what was just removed. */
const EMPTY_RECEIVES = 5;
const EMPTY_WAIT_MS = 1000;

/** Kept free at the end of a run, for the answer and its record. */
const END_MS = 20_000;

/** A look through the dead-letter queue. */
export type Search = {
  /** Everything received and not removed; given back when the search is over. */
  readonly custody: Custody;
  /** Whether every letter was seen, as far as SQS's approximate counts tell. */
  readonly complete: boolean;
};

/** When a search that begins now receives no more. */
export function searchUntilMs({ deadlineMs }: Pick<ActRun, "deadlineMs">, nowMs: number): number {
  return deadlineMs - Math.min(END_MS, (deadlineMs - nowMs) / 2);
}

/** Called with each letter once, ten at most at a time but for the last ones. */
type Look = (letters: readonly Letter[], custody: Custody) => Promise<"more" | "enough">;

/** What a search is for. */
export type SearchFor = {
  readonly look: Look;
  /** Letters that `look` acts on itself, also where SQS moved them. @default - none */
  readonly acts?: (letter: Letter) => boolean;
};

type SearchPorts = Pick<
  LetterPorts,
  "letters" | "records" | "ledger" | "marks" | "clock" | "settings"
>;

/**
 * Shows every letter of the queue once, for as long as `look` asks for more and there is time; then
 * calls `then`, with all of them still in hand, and gives them back. SQS cannot receive by id. Letters
 * that SQS moved are renewed where they hide others, or are too much to hold.
 * @throws where the queue or the ledger fails, and what `look` and `then` throw.
 */
export async function searchLetters<T>(
  run: ActRun,
  ports: SearchPorts,
  { look, acts = (): boolean => false }: SearchFor,
  then: (search: Search) => Promise<T>,
): Promise<T> {
  const custody = takeCustody(ports.letters);
  try {
    const moved = movedLetters(run, custody, ports, acts);
    const shown = (letters: readonly Letter[]): ReturnType<Look> => look(letters, custody);
    const complete = await receiveAll(run, custody, { moved, look: shown }, ports);
    return await then({ custody, complete });
  } finally {
    await custody.giveBack([]);
  }
}

type Sought = {
  readonly moved: MovedLetters;
  readonly look: (letters: readonly Letter[]) => ReturnType<Look>;
};

async function receiveAll(
  run: ActRun,
  custody: Custody,
  { moved, look }: Sought,
  ports: SearchPorts,
): Promise<boolean> {
  const { letters, clock } = ports;
  const untilMs = searchUntilMs(run, clock.nowMs());
  let empty = 0;
  while (clock.nowMs() < untilMs) {
    const batch = await letters.receive(Math.ceil((run.deadlineMs - clock.nowMs()) / 1000));
    if (batch.length > 0) {
      empty = 0;
      const fresh = batch.filter((delivery) => custody.take(delivery));
      const shown = await moved.setAside(await readLetters(fresh, ports));
      if ((await look(shown)) === "enough") return false;
      continue;
    }
    if (await sawAll(custody, letters)) return (await look(moved.left())) === "more";
    if (await moved.renew()) continue;
    empty += 1;
    if (empty >= EMPTY_RECEIVES) return false;
    await waitMs(clock, EMPTY_WAIT_MS);
  }
  return false;
}

async function sawAll(custody: Custody, letters: LetterPorts["letters"]): Promise<boolean> {
  const { visible, inFlight } = await letters.size();
  return visible + inFlight <= custody.size();
}

async function readLetters(
  batch: readonly Delivery[],
  { ledger, settings }: Pick<LetterPorts, "ledger" | "settings">,
): Promise<readonly Letter[]> {
  const idOf = (delivery: Delivery): string => letterId(delivery, settings.partitions);
  const unmarked = batch.filter(isUnmarked).map(idOf);
  const items = unmarked.length === 0 ? undefined : await ledger.items(unmarked);
  return batch.map((delivery) => readLetter(delivery, items?.get(idOf(delivery)), settings));
}
