import * as v from "valibot";
import { type Operation, ServiceError } from "../http/aws-json.ts";
import { tableOf } from "./dynalite.ts";
import type { Store } from "./dynalite-store.ts";
import { readRequest, typeOf } from "./request.ts";
import { changeSettings, settingsOfTable } from "./table-settings.ts";

/** Point-in-time recovery can be turned on and off and looked at; no backup is made. */
export function continuousBackupOperations(store: Store): Readonly<Record<string, Operation>> {
  return {
    async UpdateContinuousBackups(input): Promise<unknown> {
      const { TableName, PointInTimeRecoverySpecification } = readRequest(updateSchema, input);
      await assertTable(store, TableName);
      const { PointInTimeRecoveryEnabled: pointInTimeRecovery } = PointInTimeRecoverySpecification;
      await changeSettings(store, TableName, { pointInTimeRecovery });
      return describe(store, TableName);
    },
    async DescribeContinuousBackups(input): Promise<unknown> {
      const { TableName } = readRequest(describeSchema, input);
      await assertTable(store, TableName);
      return describe(store, TableName);
    },
  };
}

const updateSchema = v.object({
  TableName: v.string(),
  PointInTimeRecoverySpecification: v.object({ PointInTimeRecoveryEnabled: v.boolean() }),
});

const describeSchema = v.object({ TableName: v.string() });

async function describe(store: Store, table: string): Promise<unknown> {
  const { pointInTimeRecovery } = await settingsOfTable(store, table);
  return {
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: "ENABLED",
      PointInTimeRecoveryDescription: {
        PointInTimeRecoveryStatus: pointInTimeRecovery ? "ENABLED" : "DISABLED",
      },
    },
  };
}

/** These two operations have an error of their own for a missing table. */
async function assertTable(store: Store, table: string): Promise<void> {
  try {
    await tableOf(store, table, { active: false });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError(typeOf("TableNotFoundException"), `Table not found: ${table}`);
  }
}
