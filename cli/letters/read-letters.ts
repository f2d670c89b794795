import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { listWithheld } from "../../lambdas/aws/ledger/letter-withheld.ts";
import { listOpenRecords } from "../../lambdas/aws/ledger/open-records.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { totalOf } from "../../lambdas/core/backlog.ts";
import type { LedgerItem } from "../../lambdas/core/ledger.ts";
import { countWithheld } from "../../lambdas/core/letters/count-withheld.ts";
import type { LetterTimes } from "../../lambdas/core/letters/letter-expiry.ts";
import type { BacklogLocation } from "../backlog-location.ts";
import { ledgerAt, type Session } from "../session.ts";
import { isExpired, type Letter, letterOf } from "./letter.ts";

/** The dead letters of a backlog. */
export type Letters = {
  /** Those that the ledger lists and SQS still keeps. */
  readonly listed: readonly Letter[];
  /** Dead records whose letter SQS has deleted by now. */
  readonly expired: number;
  /** Messages in the dead-letter queue, approximate as SQS counts them. */
  readonly held: number;
  /** Of these, letters that no list and no replay has: discarded, or in an interrupted edit. */
  readonly discarded: number;
  readonly retentionMs: number;
};

/** Reads the ledger's index and the dead-letter queue's counts. No message is received, so none is
 *  hidden from a replay. @throws where AWS fails. */
export async function readLetters(session: Session, location: BacklogLocation): Promise<Letters> {
  const [dead, queue] = await Promise.all([
    listOpenRecords(ledgerAt(session, location), { state: "dead" }),
    readLetterQueue(session, location),
  ]);
  return lettersOf(dead, queue, session.nowMs);
}

/** The dead-letter queue but for the letters that the ledger's index lists. */
export type LetterQueue = Pick<Letters, "held" | "retentionMs"> & {
  readonly withheld: readonly LetterTimes[];
};

/** @throws where SQS or DynamoDB fails. */
export async function readLetterQueue(
  session: Session,
  location: BacklogLocation,
): Promise<LetterQueue> {
  const { sqs } = session.clients;
  const { letterQueueUrl } = location;
  const [size, retentionMs, withheld] = await Promise.all([
    readQueueSize(sqs, letterQueueUrl),
    readRetentionMs(sqs, letterQueueUrl),
    listWithheld(ledgerAt(session, location)),
  ]);
  return { held: totalOf(size), retentionMs, withheld };
}

/** The letters among records of the ledger's index, those that SQS has deleted only counted. Pure. */
export function lettersOf(
  open: readonly LedgerItem[],
  { held, retentionMs, withheld }: LetterQueue,
  nowMs: number,
): Letters {
  const letterAt = (item: LedgerItem): Letter => letterOf(item, retentionMs);
  const letters = open.filter(({ state }) => state === "dead").map(letterAt);
  const listed = letters.filter((letter) => !isExpired(letter, nowMs));
  const unlisted = held - listed.length;
  const view = { nowMs, letterRetentionMs: retentionMs, unlisted };
  const discarded = countWithheld(withheld, view);
  return { held, retentionMs, listed, discarded, expired: letters.length - listed.length };
}

/** How long a queue keeps a message. */
export async function readRetentionMs(client: SQSClient, queueUrl: string): Promise<number> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: ["MessageRetentionPeriod"],
    }),
  );
  const seconds = Number(Attributes?.MessageRetentionPeriod);
  if (Number.isFinite(seconds)) return seconds * 1000;
  throw new RangeError(
    `Expected SQS to tell the MessageRetentionPeriod of ${queueUrl}, got \`${Attributes?.MessageRetentionPeriod}\``,
  );
}

/** Letters in the queue that the ledger does not list: moved by SQS itself, or unreadable. */
export function unlistedOf({ listed, held, discarded }: Letters): number {
  return Math.max(0, held - listed.length - discarded);
}
