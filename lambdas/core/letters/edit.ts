import type { Performed } from "../acts/act.ts";
import type { ActRun } from "../acts/record-act.ts";
import type { LedgerItem } from "../ledger.ts";
import type { Letter } from "../replay/replay-letter.ts";
import { type EditedMessage, editedMessage } from "./edited-message.ts";
import { type FoundLetters, findLetter, firstOf } from "./find-letter.ts";
import { underLease } from "./letter-lease.ts";
import { digestOf, payloadDigest, payloadOf } from "./letter-payload.ts";
import { type LetterPorts, LetterRefusedError, LetterUnfinishedError } from "./letter-ports.ts";
import { orUnfinished } from "./or-unfinished.ts";
import { reasonAfterEdit } from "./reason-after-edit.ts";
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
  /** False where the letter had this payload already. The digests of one that could not be read and
   *  now holds its body as text are the same. */
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
      const edited = await replace({ request, run, item, found }, ports);
      return performed(request, run, first, edited);
    });
  });
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
    `Expected record ${id} to be a dead letter, got ${item === undefined ? "one that the ledger does not list" : `one that is ${item.state}`}. Nothing was changed; a letter that SQS moved is listed by \`letters renew --all --expiring-within 14d\``,
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

type Edited = { readonly edit: Edit; readonly changed: boolean };

async function replace(
  { request, run, item, found }: Editing,
  ports: LetterPorts,
): Promise<Edited> {
  const digestAfter = payloadDigest(request.payload);
  const has = ({ delivery }: Letter): boolean =>
    // Of a letter that cannot be read, the digest is that of its body.
    payloadOf(delivery) !== undefined && digestOf(delivery) === digestAfter;
  const old = found.copies.filter((letter) => !has(letter));
  const [first] = old;
  const edit = { digestBefore: first ? digestOf(first.delivery) : digestAfter, digestAfter };
  // Before anything is written: what cannot be sent changes nothing.
  const message = first && editedMessage(first, request.payload, ports.settings);
  const { requestedBy: who, why } = request;
  const mark = { who, why, actId: run.runId, atMs: ports.clock.nowMs() };
  const withholding = ports.marks.withhold(item, "editing", mark);
  if (!(await orUnfinished(withholding, (why) => notBegun(item, why)))) {
    throw new LetterRefusedError(
      `Record ${item.id} was replayed or died again meanwhile. Nothing was changed; look at it again`,
    );
  }
  // An earlier edit may have sent it and died.
  const there = found.copies.find(has);
  if (message !== undefined && there === undefined) await send(message, item, ports);
  await removeAll(old, found, item);
  const now = there?.delivery ?? (first && { ...first.delivery, ...message });
  const { partitions } = ports.settings;
  const reason = now && item.reason && reasonAfterEdit(item.reason, now, partitions);
  const relisting = ports.marks.release(item, reason === item.reason ? edit : { ...edit, reason });
  await orUnfinished(relisting, (why) => notListed(item, why));
  return { edit, changed: old.length > 0 };
}

async function send(
  message: EditedMessage,
  item: LedgerItem,
  { letters, marks, clock }: LetterPorts,
): Promise<void> {
  const outcome = await letters.send(message);
  if (outcome.kind === "unknown") throw new LetterUnfinishedError(halfDone(item, outcome.reason));
  if (outcome.kind === "accepted") {
    return orUnfinished(marks.noteSent(item.id, clock.nowMs()), (why) => halfDone(item, why));
  }
  await orUnfinished(marks.release(item), (why) => halfDone(item, why));
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
    await orUnfinished(custody.remove(delivery), (why) => halfDone(item, why));
  }
}

function notBegun({ id }: LedgerItem, why: string): string {
  return `Whether the edit of record ${id} was begun is not known (${why}). No letter is lost and none was changed; edit it again with the same payload`;
}

function halfDone({ id }: LedgerItem, why: string): string {
  return `The edit of record ${id} was begun and its end is not known (${why}). No letter is lost, and no replay takes the record until it is edited again with the same payload`;
}

function notListed({ id }: LedgerItem, why: string): string {
  return `The letter of record ${id} has the new payload, but whether a replay takes it by now is not known (${why}). No letter is lost; edit it again with the same payload`;
}

function performed(
  { id }: EditRequest,
  { runId }: ActRun,
  { reason }: Letter,
  { edit, changed }: Edited,
): Performed<EditResult> {
  return {
    answer: { runId, id, changed, ...edit },
    state: "done",
    counts: { edited: changed ? 1 : 0 },
    letters: [{ id, outcome: changed ? "edited" : "unchanged", oldReason: reason, ...edit }],
  };
}
