import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { CLIENT_OPTIONS } from "./aws/client-options.ts";
import { listWithheld } from "./aws/ledger/letter-withheld.ts";
import { metricsOf } from "./aws/observability.ts";
import { readBacklog } from "./aws/snapshot/backlog-snapshot.ts";
import { measureBacklog } from "./aws/snapshot/measure-backlog.ts";
import { systemClock } from "./aws/system-clock.ts";
import { fromEnvironment } from "./core/environment.ts";
import { isExpired, retentionAt } from "./core/letters/letter-expiry.ts";

const { settings, sourceUrl, letterQueueUrl, ledgerTable } = fromEnvironment(process.env);
const metrics = metricsOf(settings.name);

const ledger = {
  client: new DynamoDBClient(CLIENT_OPTIONS),
  table: ledgerTable,
  nowMs: systemClock.nowMs,
};

const sources = {
  sqs: new SQSClient(CLIENT_OPTIONS),
  cloudWatch: new CloudWatchClient(CLIENT_OPTIONS),
  ledger,
  // A discarded letter waits for nobody, so it raises no alarm. What SQS has surely deleted would not
  // count, and is not looked up either.
  withheld: (): ReturnType<typeof listWithheld> => {
    const retention = retentionAt(ledger.nowMs(), settings);
    return listWithheld(ledger, (letter) => !isExpired(letter, retention));
  },
  sourceUrl,
  letterQueueUrl,
  settings,
};

/** Measures the backlog once. A failure is the function's: a missing snapshot raises its own alarm. */
export async function handler(): Promise<void> {
  measureBacklog(await readBacklog(sources), settings, metrics);
  metrics.publishStoredMetrics();
}
