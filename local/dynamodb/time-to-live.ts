import * as v from "valibot";
import type { Operation } from "../http/aws-json.ts";
import { tableOf } from "./dynalite.ts";
import type { Store } from "./dynalite-store.ts";
import { readRequest, validationError } from "./request.ts";
import { changeSettings, settingsOfTable } from "./table-settings.ts";

/** UpdateTimeToLive and DescribeTimeToLive; a change takes effect at once. */
export function timeToLiveOperations(store: Store): Readonly<Record<string, Operation>> {
  return {
    UpdateTimeToLive: (input) => updateTimeToLive(store, input),
    DescribeTimeToLive: (input) => describeTimeToLive(store, input),
  };
}

const updateSchema = v.object({
  TableName: v.string(),
  TimeToLiveSpecification: v.object({
    Enabled: v.boolean(),
    AttributeName: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  }),
});

async function updateTimeToLive(store: Store, input: unknown): Promise<unknown> {
  const { TableName, TimeToLiveSpecification } = readRequest(updateSchema, input);
  const { Enabled, AttributeName } = TimeToLiveSpecification;
  await tableOf(store, TableName, { active: false });
  const { timeToLiveAttribute: current } = await settingsOfTable(store, TableName);
  const refusal = refusalOf(current, Enabled, AttributeName);
  if (refusal !== undefined) throw validationError(refusal);
  const timeToLiveAttribute = Enabled ? AttributeName : undefined;
  await changeSettings(store, TableName, { timeToLiveAttribute });
  return { TimeToLiveSpecification };
}

function refusalOf(
  current: string | undefined,
  enable: boolean,
  attribute: string,
): string | undefined {
  if (current === undefined) return enable ? undefined : "TimeToLive is already disabled";
  if (current !== attribute) {
    return `TimeToLive is active on a different AttributeName: current AttributeName is ${current}`;
  }
  return enable ? "TimeToLive is already enabled" : undefined;
}

const describeSchema = v.object({ TableName: v.string() });

async function describeTimeToLive(store: Store, input: unknown): Promise<unknown> {
  const { TableName } = readRequest(describeSchema, input);
  await tableOf(store, TableName, { active: false });
  const { timeToLiveAttribute: AttributeName } = await settingsOfTable(store, TableName);
  return {
    TimeToLiveDescription:
      AttributeName === undefined
        ? { TimeToLiveStatus: "DISABLED" }
        : { TimeToLiveStatus: "ENABLED", AttributeName },
  };
}
