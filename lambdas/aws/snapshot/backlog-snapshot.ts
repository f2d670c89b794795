import type { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import type { SQSClient } from "@aws-sdk/client-sqs";
import { type Backlog, backlogOf, totalOf } from "../../core/backlog.ts";
import type { LedgerItem } from "../../core/ledger.ts";
import { type LetterTimes, retentionAt } from "../../core/letters/letter-expiry.ts";
import type { Settings } from "../../core/settings.ts";
import type { LedgerTable } from "../ledger/ledger-table.ts";
import { listOpenRecords } from "../ledger/open-records.ts";
import { readQueueSize } from "../queue-size.ts";
import { readOldestAges, readSentSize } from "./queue-metrics.ts";

/** Where a snapshot is read from. */
export type BacklogSources = {
  readonly sqs: SQSClient;
  readonly cloudWatch: CloudWatchClient;
  readonly ledger: LedgerTable;
  readonly sourceUrl: string;
  readonly letterQueueUrl: string;
  readonly settings: Pick<Settings, "letterRetentionSeconds">;
  /** Letters that are not to be counted: those that are discarded. @default - all are counted */
  readonly withheld?: (() => Promise<readonly LetterTimes[]>) | undefined;
};

/** Reads both queues' counts, SQS's own metrics and the ledger's index into one snapshot. Whoever has
 *  read the whole index already gives its records as `known`, and it is not read again.
 *  @throws where one of them fails: a snapshot with a hole would look like a small backlog. */
export async function readBacklog(
  sources: BacklogSources,
  known?: readonly LedgerItem[],
): Promise<Backlog> {
  const { sqs, cloudWatch, ledger, sourceUrl, letterQueueUrl, settings } = sources;
  const nowMs = ledger.nowMs();
  const [source, letters, ages, open, withheld] = await Promise.all([
    readQueueSize(sqs, sourceUrl),
    readQueueSize(sqs, letterQueueUrl),
    readOldestAges(cloudWatch, [sourceUrl, letterQueueUrl], nowMs),
    known ?? listOpenRecords(ledger),
    sources.withheld?.(),
  ]);
  const [sourceAgeMs, letterAgeMs] = ages;
  const parts = {
    ...retentionAt(nowMs, settings),
    source,
    letters,
    sourceAgeMs,
    letterAgeMs,
    open,
    withheld,
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
