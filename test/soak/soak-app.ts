import { readFileSync } from "node:fs";
import { App, CfnOutput, Stack } from "aws-cdk-lib";
import { OrderedBacklog } from "../../infra/ordered-backlog.ts";
import { Wallet } from "../../infra/wallet.ts";
import { SOAK_SETTINGS } from "./soak-settings.ts";

// node test/soak/soak-app.ts <folder of the assembly> <file of the handler's testimony>

const [outdir = "cdk.out", testimony = ""] = process.argv.slice(2);
const cdk = readFileSync(new URL("../../cdk.json", import.meta.url), "utf8");
const app = new App({ context: JSON.parse(cdk).context, outdir });
const stack = new Stack(app, "Backlogorder-soak");
const wallet = new Wallet(stack, "Wallet");
const backlog = new OrderedBacklog(stack, "Backlog", {
  settings: SOAK_SETTINGS,
  handler: wallet.openTo({
    entry: "test/soak/soak-handler.ts",
    environment: { SOAK_TESTIMONY: testimony },
  }),
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
