import { equal, match } from "node:assert/strict";
import { DescribeTableCommand, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { PARTITIONS_LOCK } from "../../lambdas/aws/ledger/ledger-keys.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { walletApplications } from "../../local/demo/applications.ts";
import { deployPartitions, destroyStack, PARTITIONS } from "./deployment.ts";
import { type Leg, untilEqual } from "./leg.ts";
import type { Target } from "./target.ts";

/** What later deploys may do to a stack that holds a game's records. */
export function redeploys(target: Target): readonly Leg[] {
  return [
    {
      title: "a deploy with another partition count is refused, with both numbers",
      async ask() {
        const wanted = 2 * PARTITIONS;
        const said = await deployPartitions(target, wanted).then(
          () => "it is deployed",
          (error: Error) => error.message,
        );
        match(said, new RegExp(`Expected ${PARTITIONS} partitions.* got ${wanted}\\.`));
      },
    },
    {
      title: "the refused deploy left the count and the consumer as they were",
      async ask({ dynamo, ledgerTable, walletTable, publisher }) {
        const asked = new GetItemCommand({ TableName: ledgerTable, Key: PARTITIONS_LOCK });
        equal((await dynamo.send(asked)).Item?.["partitions"]?.N, String(PARTITIONS));
        const payload = JSON.stringify({ type: "credit", amount: 1 });
        await publisher.publish([{ id: "after", key: "ada", payload }]);
        await untilEqual(
          async () => (await walletApplications(dynamo, walletTable)).get("after")?.times,
          1,
        );
      },
    },
    {
      title: "`cdk destroy` leaves the letters, the queue and the tables",
      async ask({ sqs, dynamo, sourceUrl, letterQueueUrl, ledgerTable, walletTable }) {
        await destroyStack(target);
        equal((await readQueueSize(sqs, letterQueueUrl)).visible, 1);
        equal((await readQueueSize(sqs, sourceUrl)).visible, 0);
        for (const TableName of [ledgerTable, walletTable]) {
          const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }));
          equal(Table?.TableStatus, "ACTIVE");
        }
      },
    },
  ];
}
