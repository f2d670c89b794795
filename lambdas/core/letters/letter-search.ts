import type { ActRun } from "../acts/record-act.ts";
import type { Delivery } from "../record.ts";
import { type Custody, takeCustody } from "../replay/replay-custody.ts";
import { isUnmarked, type Letter, letterId, readLetter } from "../replay/replay-letter.ts";
import { waitMs } from "../replay/replay-pace.ts";
import type { LetterPorts } from "./letter-ports.ts";

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

/**
 * Shows every letter of the queue once, ten at most at a time, for as long as `look` asks for more
 * and there is time; then calls `then`, with all of them still in hand, and gives them back. SQS
 * cannot receive by id.
 * @throws where the queue or the ledger fails, and what `look` and `then` throw.
 */
export async function searchLetters<T>(
  run: ActRun,
  ports: Pick<LetterPorts, "letters" | "ledger" | "clock" | "settings">,
  look: (letters: readonly Letter[], custody: Custody) => Promise<"more" | "enough">,
  then: (search: Search) => Promise<T>,
): Promise<T> {
  const custody = takeCustody(ports.letters);
  try {
    const complete = await receiveAll(run, custody, ports, (letters) => look(letters, custody));
    return await then({ custody, complete });
  } finally {
    await custody.giveBack([]);
  }
}

async function receiveAll(
  { deadlineMs }: ActRun,
  custody: Custody,
  ports: Pick<LetterPorts, "letters" | "ledger" | "clock" | "settings">,
  look: (letters: readonly Letter[]) => Promise<"more" | "enough">,
): Promise<boolean> {
  const { letters, clock } = ports;
  const leftMs = deadlineMs - clock.nowMs();
  const untilMs = deadlineMs - Math.min(END_MS, leftMs / 2);
  let empty = 0;
  while (clock.nowMs() < untilMs) {
    const batch = await letters.receive(Math.ceil((deadlineMs - clock.nowMs()) / 1000));
    if (batch.length === 0) {
      if (await sawAll(custody, letters)) return true;
      empty += 1;
      if (empty >= EMPTY_RECEIVES) return false;
      await waitMs(clock, EMPTY_WAIT_MS);
      continue;
    }
    empty = 0;
    const fresh = batch.filter((delivery) => custody.take(delivery));
    if ((await look(await readLetters(fresh, ports))) === "enough") return false;
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
