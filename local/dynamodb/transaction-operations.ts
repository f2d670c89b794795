import * as v from "valibot";
import type { Operation } from "../http/aws-json.ts";
import type { Store } from "./dynalite-store.ts";
import { readRequest } from "./request.ts";
import { createRequestTokens } from "./request-tokens.ts";
import { transactGet } from "./transact-get.ts";
import { transactWrite, type UnitsByTable } from "./transact-write.ts";

/** TransactWriteItems and TransactGetItems. */
export function transactionOperations(
  store: Store,
  now: () => number,
): Readonly<Record<string, Operation>> {
  const tokens = createRequestTokens<UnitsByTable>(now);
  return {
    async TransactWriteItems(input): Promise<unknown> {
      const { TransactItems, ClientRequestToken, ReturnConsumedCapacity } = readRequest(
        writeSchema,
        input,
      );
      const units = await tokens.once(ClientRequestToken, TransactItems, () =>
        transactWrite(store, TransactItems),
      );
      return ReturnConsumedCapacity === "NONE" ? {} : { ConsumedCapacity: consumed(units) };
    },
    async TransactGetItems(input): Promise<unknown> {
      const { TransactItems } = readRequest(getSchema, input);
      return { Responses: await transactGet(store, TransactItems) };
    },
  };
}

const writeSchema = v.object({
  TransactItems: v.unknown(),
  ClientRequestToken: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(36))),
  ReturnConsumedCapacity: v.optional(v.picklist(["INDEXES", "TOTAL", "NONE"]), "NONE"),
});

const getSchema = v.object({ TransactItems: v.unknown() });

function consumed(units: UnitsByTable): readonly unknown[] {
  return [...units].map(([TableName, CapacityUnits]) => ({
    TableName,
    CapacityUnits,
    WriteCapacityUnits: CapacityUnits,
  }));
}
