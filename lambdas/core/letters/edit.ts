import type { Performed } from "../acts/act.ts";
import type { ActRun } from "../acts/record-act.ts";
import type { LedgerItem } from "../ledger.ts";
import type { Letter } from "../replay/replay-letter.ts";
import { type EditedMessage, editedMessage } from "./edited-message.ts";
import { type FoundLetters, findLetter, firstOf } from "./find-letter.ts";
import { underLease } from "./letter-lease.ts";
import { digestOf, payloadDigest } from "./letter-payload.ts";
import { type LetterPorts, LetterRefusedError } from "./letter-ports.ts";
import type { Edit } from "./withheld.ts";

export type EditRequest = {
  readonly id: string;
  readonly payload: string | Uint8Array;
  readonly requestedBy: string | undefined;
  readonly why: string | undefined;
};

export type EditResult = Edit & {
  readonly runId: string;
  readonly id: string;
  /** False where the letter had this payload already. */
  readonly changed: boolean;
};

/**
 * Replaces a letter's payload; identity, attributes and facts stay. While it is under way no replay
 * takes the record: first the ledger withholds it, then the new letter is sent, then the old one
 * removed, then the record listed again. An edit that dies in between leaves the record withheld as
 * `editing`, with a letter in the queue; editing it again completes it.
 * @throws LetterRefusedError where nothing was changed, LetterUnfinishedError where it has to be run
 *   again, ReplayHeldError where a replay runs.
 */
export function editLetter(
  request: EditRequest,
  run: ActRun,
  ports: LetterPorts,
): Promise<Performed<EditResult>> {
  const { id, requestedBy } = request;
  return underLease(requestedBy, run, ports, async () => {
    const item = await editableItem(id, ports);
    return findLetter(id, run, ports, async (found) => {
      const first = firstOf(id, found);
      await refuseApplied(first, ports);
      const edit = await replace({ request, run, item, found }, ports);
      return performed(request, run, first, edit);
    });
  });
}

/** The edit was begun and did not come to its end; the record is withheld until it is run again. */
export class LetterUnfinishedError extends Error {
  override readonly name = "LetterUnfinishedError";
}

type Editing = {
  readonly request: EditRequest;
  readonly run: ActRun;
  readonly item: LedgerItem;
  readonly found: FoundLetters;
};

async function editableItem(
  id: string,
  { ledger, marks }: Pick<LetterPorts, "ledger" | "marks">,
): Promise<LedgerItem> {
  const [items, withheld] = await Promise.all([ledger.items([id]), marks.withheld()]);
  const item = items.get(id);
  if (withheld.some((each) => each.id === id && each.kind === "discarded")) {
    throw new LetterRefusedError(
      `Record ${id} is discarded. Nothing was changed; restore it, then edit it`,
    );
  }
  if (item?.state === "dead") return item;
  throw new LetterRefusedError(
    `Expected record ${id} to be a dead letter, got ${item === undefined ? "one that the ledger does not list" : `one that is ${item.state}`}. Nothing was changed; a letter that SQS moved is listed by \`letters renew\``,
  );
}

async function refuseApplied(
  { record }: Letter,
  { records }: Pick<LetterPorts, "records">,
): Promise<void> {
  const [standing] = await records.standings([record]);
  if (standing?.item?.state !== "applied" && standing?.entry !== "named") return;
  throw new LetterRefusedError(
    `Record ${record.id} was applied, so its letter only has to go. Nothing was changed; a replay removes it`,
  );
}

async function replace({ request, run, item, found }: Editing, ports: LetterPorts): Promise<Edit> {
  const digestAfter = payloadDigest(request.payload);
  const old = found.copies.filter(({ delivery }) => digestOf(delivery) !== digestAfter);
  const [first] = old;
  const edit = { digestBefore: first ? digestOf(first.delivery) : digestAfter, digestAfter };
  // Before anything is written: what cannot be sent changes nothing.
  const message = first && editedMessage(first, request.payload);
  const { requestedBy: who, why } = request;
  const mark = { who, why, actId: run.runId, atMs: ports.clock.nowMs() };
  if (!(await ports.marks.withhold(item, "editing", mark))) {
    throw new LetterRefusedError(
      `Record ${item.id} was replayed or died again meanwhile. Nothing was changed; look at it again`,
    );
  }
  // An earlier edit may have sent it and died.
  const isThere = old.length < found.copies.length;
  if (message !== undefined && !isThere) await send(message, item, ports);
  await removeAll(old, found, item);
  await ports.marks.release(item, edit);
  return edit;
}

async function send(
  message: EditedMessage,
  item: LedgerItem,
  { letters, marks, clock }: LetterPorts,
): Promise<void> {
  const outcome = await letters.send(message);
  if (outcome.kind === "accepted") return marks.noteSent(item.id, clock.nowMs());
  if (outcome.kind === "unknown") throw unfinished(item, outcome.reason);
  await marks.release(item);
  throw new LetterRefusedError(
    `The dead-letter queue refused the new letter of record ${item.id}: ${outcome.reason}. Nothing was changed`,
  );
}

async function removeAll(
  letters: readonly Letter[],
  { custody }: FoundLetters,
  item: LedgerItem,
): Promise<void> {
  for (const { delivery } of letters) {
    await custody.remove(delivery).catch((cause: unknown) => {
      throw unfinished(item, cause);
    });
  }
}

function unfinished({ id }: LedgerItem, cause: unknown): LetterUnfinishedError {
  return new LetterUnfinishedError(
    `The edit of record ${id} was begun and its end is not known (${cause}). No letter is lost, and no replay takes the record until it is edited again with the same payload`,
    { cause },
  );
}

function performed(
  { id }: EditRequest,
  { runId }: ActRun,
  { reason }: Letter,
  edit: Edit,
): Performed<EditResult> {
  const changed = edit.digestBefore !== edit.digestAfter;
  return {
    answer: { runId, id, changed, ...edit },
    state: "done",
    counts: { edited: changed ? 1 : 0 },
    letters: [{ id, outcome: changed ? "edited" : "unchanged", oldReason: reason, ...edit }],
  };
}
