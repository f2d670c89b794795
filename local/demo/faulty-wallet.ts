import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import type { Handler } from "../../lambdas/aws/ledger/effects.ts";
import { handle as handleWallet } from "../../lambdas/handler.ts";
import { MENDED, type Testimony } from "./faults.ts";

const dynamo = new DynamoDBClient();

/**
 * The wallet with the faults that the demo's event file asks for. It says on its own output when it
 * fails or dies, so that the demo's checks need not take the backlog's word for it.
 */
export const handle: Handler = async (record, context) => {
  const fault = faultIn(record.payload);
  if (fault === "kills" && !(await isMended())) {
    testify({ demo: "killed", id: record.id });
    process.exit(1);
  }
  try {
    const times = Number(/^flaky:([0-9]+)$/.exec(fault ?? "")?.[1] ?? 0);
    if (context.attempt <= times) throw new Error(`flaky, attempt ${context.attempt}`);
    return await handleWallet(record, context);
  } catch (error) {
    testify({ demo: "failed", id: record.id });
    throw error;
  }
};

function faultIn(payload: string | Uint8Array): string | undefined {
  try {
    const { demo }: { readonly demo?: unknown } = JSON.parse(String(payload));
    return typeof demo === "string" ? demo : undefined;
  } catch {
    return undefined;
  }
}

async function isMended(): Promise<boolean> {
  const { Item } = await dynamo.send(
    // biome-ignore lint/style/noProcessEnv: a game's handler reads its own environment.
    new GetItemCommand({ TableName: process.env["WALLET_TABLE"], Key: MENDED }),
  );
  return Item !== undefined;
}

function testify(testimony: Testimony): void {
  process.stdout.write(`${JSON.stringify(testimony)}\n`);
}
