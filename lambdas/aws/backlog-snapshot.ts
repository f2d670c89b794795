import type { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import type { SQSClient } from "@aws-sdk/client-sqs";
import { type Backlog, backlogOf, totalOf } from "../core/backlog.ts";
import type { Settings } from "../core/settings.ts";
import type { LedgerTable } from "./ledger-reads.ts";
import { listOpenRecords } from "./open-records.ts";
import { readOldestAges, readSentSize } from "./queue-metrics.ts";
import { readQueueSize } from "./queue-size.ts";

/** Where a snapshot is read from. */
export type BacklogSources = {
  readonly sqs: SQSClient;
  readonly cloudWatch: CloudWatchClient;
  readonly ledger: LedgerTable;
  readonly sourceUrl: string;
  readonly letterQueueUrl: string;
  readonly settings: Pick<Settings, "letterRetentionSeconds">;
};

/** Reads both queues' counts, SQS's own metrics and the ledger's index into one snapshot.
 *  @throws where one of them fails: a snapshot with a hole would look like a small backlog. */
export async function readBacklog(sources: BacklogSources): Promise<Backlog> {
  const { sqs, cloudWatch, ledger, sourceUrl, letterQueueUrl, settings } = sources;
  const nowMs = ledger.nowMs();
  const [source, letters, ages, open] = await Promise.all([
    readQueueSize(sqs, sourceUrl),
    readQueueSize(sqs, letterQueueUrl),
    readOldestAges(cloudWatch, [sourceUrl, letterQueueUrl], nowMs),
    listOpenRecords(ledger),
  ]);
  const [sourceAgeMs, letterAgeMs] = ages;
  const parts = {
    nowMs,
    source,
    letters,
    sourceAgeMs,
    letterAgeMs,
    open,
    letterRetentionMs: settings.letterRetentionSeconds * 1000,
    averageBytes: undefined,
  };
  const unsized = backlogOf(parts);
  if (totalOf(source) === 0) return unsized;
  const averageBytes = await readSentSize(cloudWatch, sourceUrl, {
    fromMs: nowMs - unsized.oldestAgeMs,
    nowMs,
  });
  return backlogOf({ ...parts, averageBytes });
}
