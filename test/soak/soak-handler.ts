import { appendFileSync } from "node:fs";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import type { Effect, Handler } from "../../lambdas/aws/ledger/effects.ts";
import { PoisonRecordError } from "../../lambdas/core/handler.ts";
import { handle as handleWallet } from "../../lambdas/handler.ts";
import { MENDED } from "../../local/demo/faults.ts";
import { faultOf } from "./record-fault.ts";

const dynamo = new DynamoDBClient();
// biome-ignore lint/style/noProcessEnv: a game's handler reads its own environment.
const { WALLET_TABLE: TableName, SOAK_TESTIMONY = "" } = process.env;

/**
 * The wallet, with one more effect that logs in which order the records of a partition were applied,
 * and with the faults that a record asks for. It says on which records it failed or died.
 */
export const handle: Handler = async (record, context) => {
  try {
    await misbehave(String(record.payload), record.id, context.attempt);
    const result = await handleWallet(record, context);
    return { effects: [...(result?.effects ?? []), orderOf(record.partition, record.id)] };
  } catch (error) {
    testify(record.id);
    throw error;
  }
};

async function misbehave(payload: string, id: string, attempt: number): Promise<void> {
  const fault = faultOf(payload);
  if (fault === undefined) return;
  if (fault.kind === "flaky" && attempt > fault.times) return;
  if (await isMended()) return;
  testify(id);
  if (fault.kind === "kills") process.kill(process.pid, "SIGKILL");
  if (fault.kind === "hangs") await new Promise(() => undefined);
  if (fault.kind === "poison") throw new PoisonRecordError("the cause is not mended yet");
  throw new Error("the cause is not mended yet");
}

async function isMended(): Promise<boolean> {
  const { Item } = await dynamo.send(new GetItemCommand({ TableName, Key: MENDED }));
  return Item !== undefined;
}

function orderOf(partition: number, id: string): Effect {
  return {
    Update: {
      TableName,
      Key: { pk: { S: `order#${partition}` }, sk: { S: "log" } },
      UpdateExpression: "SET ids = list_append(if_not_exists(ids, :none), :id)",
      ExpressionAttributeValues: { ":none": { L: [] }, ":id": { L: [{ S: id }] } },
    },
  };
}

/** In a file, as a line of output goes down with whoever reads it. */
function testify(id: string): void {
  appendFileSync(SOAK_TESTIMONY, `${id}\n`);
}
