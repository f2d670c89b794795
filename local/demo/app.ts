import { App, CfnOutput, Stack } from "aws-cdk-lib";
import { OrderedBacklog } from "../../infra/ordered-backlog.ts";
import { Wallet } from "../../infra/wallet.ts";
import { DEMO_SETTINGS } from "./demo-settings.ts";

const app = new App();
const stack = new Stack(app, "Backlogorder-demo");
const wallet = new Wallet(stack, "Wallet");
const entry = app.node.tryGetContext("handler") ?? "local/demo/faulty-wallet.ts";
const backlog = new OrderedBacklog(stack, "Backlog", {
  settings: DEMO_SETTINGS,
  handler: wallet.openTo({ entry }),
  allowEdit: true,
});
for (const [name, value] of Object.entries({
  SourceQueueUrl: backlog.sourceQueue.queueUrl,
  LetterQueueUrl: backlog.letterQueue.queueUrl,
  LedgerTableName: backlog.ledger.tableName,
  ReplayFunctionName: backlog.replay.functionName,
  WalletTableName: wallet.table.tableName,
})) {
  new CfnOutput(stack, name, { value });
}
app.synth();
