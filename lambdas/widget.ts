import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { CLIENT_OPTIONS } from "./aws/client-options.ts";
import { listWithheld } from "./aws/ledger/letter-withheld.ts";
import { listOpenRecords } from "./aws/ledger/open-records.ts";
import { readQueueSize } from "./aws/queue-size.ts";
import { systemClock } from "./aws/system-clock.ts";
import { totalOf } from "./core/backlog.ts";
import { fromEnvironment } from "./core/environment.ts";
import { retentionAt } from "./core/letters/letter-expiry.ts";
import { widgetPage } from "./core/widget/widget-page.ts";
import { widgetView } from "./core/widget/widget-view.ts";

const { settings, letterQueueUrl, ledgerTable } = fromEnvironment(process.env);
const { REPLAY_FUNCTION_ARN: replayArn = "" } = process.env;

const sqs = new SQSClient(CLIENT_OPTIONS);
const ledger = {
  client: new DynamoDBClient(CLIENT_OPTIONS),
  table: ledgerTable,
  nowMs: systemClock.nowMs,
};

/** What CloudWatch's console asks a custom widget for, in Markdown. */
const DESCRIPTION =
  "Shows which records of a backlog hold their partition back, and its dead letters by reason.";

/** The custom widget of the dashboard: HTML, or a description where CloudWatch asks for one. */
export async function handler(event: { readonly describe?: boolean } = {}): Promise<string> {
  if (event.describe === true) return DESCRIPTION;
  const [open, letters, withheld] = await Promise.all([
    listOpenRecords(ledger),
    readQueueSize(sqs, letterQueueUrl),
    listWithheld(ledger),
  ]);
  const view = widgetView({
    ...{ backlog: settings.name, open, withheld, queued: totalOf(letters) },
    ...retentionAt(systemClock.nowMs(), settings),
  });
  return widgetPage(view, { replayArn });
}
