import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { listOpenRecords } from "../../lambdas/aws/open-records.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { totalOf } from "../../lambdas/core/backlog.ts";
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
  readonly retentionMs: number;
};

/** Reads the ledger's index and the dead-letter queue's counts. No message is received, so none is
 *  hidden from a replay. @throws where AWS fails. */
export async function readLetters(session: Session, location: BacklogLocation): Promise<Letters> {
  const { sqs } = session.clients;
  const [dead, size, retentionMs] = await Promise.all([
    listOpenRecords(ledgerAt(session, location), { state: "dead" }),
    readQueueSize(sqs, location.letterQueueUrl),
    readRetentionMs(sqs, location.letterQueueUrl),
  ]);
  const letters = dead.map((item) => letterOf(item, retentionMs));
  const listed = letters.filter((letter) => !isExpired(letter, session.nowMs));
  return { listed, expired: letters.length - listed.length, held: totalOf(size), retentionMs };
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
export function unlistedOf({ listed, held }: Pick<Letters, "listed" | "held">): number {
  return Math.max(0, held - listed.length);
}
