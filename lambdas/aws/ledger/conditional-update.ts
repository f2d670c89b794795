import {
  type DynamoDBClient,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { refusedItem } from "./ledger-errors.ts";

/**
 * Writes under a condition. Resolves to undefined once written, or to what refused the condition.
 * @throws every other error: its outcome is not known.
 */
export async function updateUnlessRefused(
  client: DynamoDBClient,
  update: UpdateItemCommandInput,
  options: { readonly abortSignal?: AbortSignal } = {},
): Promise<ReturnType<typeof refusedItem>> {
  try {
    await client.send(new UpdateItemCommand(update), options);
    return undefined;
  } catch (error) {
    const refused = refusedItem(error);
    if (refused === undefined) throw error;
    return refused;
  }
}
