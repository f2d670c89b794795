import { isDeepStrictEqual } from "node:util";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  UpdateContinuousBackupsCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import * as v from "valibot";
import type { Created } from "../created.ts";
import { START_ANEW } from "../deploy-error.ts";
import type { DeployedResource } from "../deployed-resource.ts";
import { physicalName } from "../physical-name.ts";
import { type ResourceRequest, readProperties, type Stack, tagsSchema } from "../resource.ts";

const replicaEntries = {
  DeletionProtectionEnabled: v.optional(v.boolean(), false),
  PointInTimeRecoverySpecification: v.optional(
    v.object({ PointInTimeRecoveryEnabled: v.optional(v.boolean(), false) }),
  ),
  Tags: tagsSchema,
};

const tableEntries = {
  TableName: v.optional(v.string()),
  AttributeDefinitions: v.array(v.unknown()),
  KeySchema: v.array(v.unknown()),
  GlobalSecondaryIndexes: v.optional(v.array(v.unknown())),
  LocalSecondaryIndexes: v.optional(v.array(v.unknown())),
  SSESpecification: v.optional(
    v.object({ SSEEnabled: v.boolean(), SSEType: v.optional(v.string()) }),
  ),
  TimeToLiveSpecification: v.optional(
    v.object({ AttributeName: v.optional(v.string()), Enabled: v.boolean() }),
  ),
};

const tableSchema = v.object({
  ...tableEntries,
  ...replicaEntries,
  BillingMode: v.optional(v.string()),
  ProvisionedThroughput: v.optional(v.unknown()),
});

const globalTableSchema = v.object({
  ...tableEntries,
  // Its default is provisioned by auto scaling, which nothing here does.
  BillingMode: v.literal("PAY_PER_REQUEST"),
  Replicas: v.array(v.object({ ...replicaEntries, Region: v.string() })),
});

/** AWS::DynamoDB::Table. */
export function createTable(request: ResourceRequest): Promise<Created> {
  return create(request, readProperties(tableSchema, request));
}

/** AWS::DynamoDB::GlobalTable with one replica, in the stack's region. */
export function createGlobalTable(request: ResourceRequest): Promise<Created> {
  const { Replicas, ...table } = readProperties(globalTableSchema, request);
  const [replica] = Replicas;
  if (replica?.Region !== request.stack.region || Replicas.length > 1) {
    const regions = Replicas.map(({ Region }) => Region).join(", ");
    throw new RangeError(`Expected one replica, in ${request.stack.region}, got ${regions}`);
  }
  return create(request, { ...table, ...replica });
}

/** Another name or other keys are another table; nothing else of one is changed here. */
export function changeTable(
  { properties }: ResourceRequest,
  { properties: before }: DeployedResource,
): "replace" {
  const isOther = (name: string): boolean => !isDeepStrictEqual(properties[name], before[name]);
  if (["TableName", "KeySchema"].some(isOther)) return "replace";
  throw new RangeError(
    `Expected the table's settings as they are, as none but its name and keys is changed here. ${START_ANEW}`,
  );
}

/** @throws ValidationException of the service where the table is protected from deletion. */
export async function removeTable(
  { physicalId: TableName }: DeployedResource,
  { clients }: Stack,
): Promise<void> {
  await clients.dynamodb.send(new DeleteTableCommand({ TableName }));
}

type TableProperties = v.InferOutput<typeof tableSchema>;

async function create(request: ResourceRequest, table: TableProperties): Promise<Created> {
  const { stack, logicalId } = request;
  const TableName = table.TableName ?? physicalName(stack, logicalId);
  const { dynamodb } = stack.clients;
  const { TableDescription } = await dynamodb.send(
    new CreateTableCommand(createInput(TableName, table)),
  );
  const { AttributeName, Enabled } = table.TimeToLiveSpecification ?? {};
  if (Enabled) {
    const TimeToLiveSpecification = { AttributeName, Enabled };
    await dynamodb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
  if (table.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled) {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await dynamodb.send(
      new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }),
    );
  }
  const { TableArn, TableId } = TableDescription ?? {};
  return { physicalId: TableName, attributes: { Arn: TableArn, TableId } };
}

/** What the service takes as the template gives it is checked by the service. */
function createInput(TableName: string, table: TableProperties): CreateTableCommandInput {
  const { SSESpecification: sse, Tags } = table;
  return {
    TableName,
    AttributeDefinitions: table.AttributeDefinitions,
    KeySchema: table.KeySchema,
    BillingMode: table.BillingMode,
    ProvisionedThroughput: table.ProvisionedThroughput,
    GlobalSecondaryIndexes: table.GlobalSecondaryIndexes,
    LocalSecondaryIndexes: table.LocalSecondaryIndexes,
    DeletionProtectionEnabled: table.DeletionProtectionEnabled,
    ...(sse && { SSESpecification: { Enabled: sse.SSEEnabled, SSEType: sse.SSEType } }),
    ...(Tags.length > 0 && { Tags }),
  } as CreateTableCommandInput;
}
