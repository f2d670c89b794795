import { setTimeout as delay } from "node:timers/promises";
import {
  DeleteEventSourceMappingCommand,
  GetEventSourceMappingCommand,
  type LambdaClient,
  ResourceNotFoundException,
} from "@aws-sdk/client-lambda";
import { GetQueueUrlCommand } from "@aws-sdk/client-sqs";
import { v5 as uuidFrom } from "uuid";
import * as v from "valibot";
import type { Cloud } from "../../cloud.ts";
import type { MappingProperties } from "../../lambda/event-source-mapping.ts";
import { arnOf, nameInArn } from "../arn.ts";
import type { Clients } from "../clients.ts";
import type { Created } from "../created.ts";
import type { DeployedResource } from "../deployed-resource.ts";
import { type ResourceRequest, readProperties, type Stack } from "../resource.ts";

const schema = v.object({
  EventSourceArn: v.pipe(v.string(), v.startsWith("arn:aws:sqs:")),
  FunctionName: v.string(),
  BatchSize: v.optional(v.number(), 10),
  FunctionResponseTypes: v.optional(v.array(v.literal("ReportBatchItemFailures")), []),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.optional(v.number()) })),
  Enabled: v.optional(v.boolean(), true),
  MaximumBatchingWindowInSeconds: v.optional(v.literal(0)),
  FilterCriteria: v.optional(v.undefined("is not supported here")),
});

/** Changes all but its queue: one of another queue is another mapping. Whether it is enabled stays as
 *  it is where the template does not say. */
export async function changeEventSourceMapping(
  request: ResourceRequest,
  before: DeployedResource,
): Promise<Created | "replace"> {
  const properties = readProperties(schema, request);
  if (properties.EventSourceArn !== before.properties["EventSourceArn"]) return "replace";
  const { clients, cloud } = request.stack;
  const Enabled = request.properties["Enabled"] as boolean | undefined;
  // One that was enabled or disabled just now takes no change until that is done.
  await untilState(
    clients,
    before.physicalId,
    (state) => state === "Enabled" || state === "Disabled",
  );
  await cloud.lambda.changeMapping(before.physicalId, {
    ...settingsOf(properties, cloud),
    ...(Enabled !== undefined && { enabled: Enabled }),
  });
  return before;
}

/** It polls no more and has nothing under way when this resolves, as one that is deleted. */
export async function removeEventSourceMapping(
  { physicalId: UUID }: DeployedResource,
  { clients }: Stack,
): Promise<void> {
  await clients.lambda.send(new DeleteEventSourceMappingCommand({ UUID }));
  await untilState(clients, UUID, (state) => state === undefined);
}

const CHECK_EVERY_MS = 50;
const CHECKS_MAX = 60_000 / CHECK_EVERY_MS;

/** Undefined: there is no such mapping any more. */
async function untilState(
  { lambda }: Clients,
  UUID: string,
  isReached: (state: string | undefined) => boolean,
): Promise<void> {
  for (let checks = 0; checks < CHECKS_MAX; checks += 1) {
    if (isReached(await stateOf(lambda, UUID))) return;
    await delay(CHECK_EVERY_MS);
  }
  throw new Error(
    `Expected the batches of the mapping ${UUID} to end within a minute, got one under way`,
  );
}

async function stateOf(lambda: LambdaClient, UUID: string): Promise<string | undefined> {
  try {
    return (await lambda.send(new GetEventSourceMappingCommand({ UUID }))).State;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** AWS::Lambda::EventSourceMapping of a queue. Unless it is to be off, it polls from now on, with no
 *  more batches at once than this machine is to carry. */
export async function createEventSourceMapping(request: ResourceRequest): Promise<Created> {
  const { stack } = request;
  const { cloud } = stack;
  const properties = readProperties(schema, request);
  const { QueueUrl = "" } = await stack.clients.sqs.send(
    new GetQueueUrlCommand({ QueueName: nameInArn(properties.EventSourceArn) }),
  );
  const { uuid } = await cloud.lambda.createMapping(
    {
      uuid: uuidOf(request),
      queueUrl: QueueUrl,
      queueArn: properties.EventSourceArn,
      ...settingsOf(properties, cloud),
    },
    { enabled: properties.Enabled },
  );
  const EventSourceMappingArn = arnOf(stack, "lambda", `event-source-mapping:${uuid}`);
  return { physicalId: uuid, attributes: { Id: uuid, EventSourceMappingArn } };
}

/** The same at each start, so that what operators have set of it is found again. */
function uuidOf({ logicalId, stack: { stackId, nameSalt } }: ResourceRequest): string {
  return uuidFrom(`${logicalId}${nameSalt}`, stackId.slice(stackId.lastIndexOf("/") + 1));
}

function settingsOf(
  properties: v.InferOutput<typeof schema>,
  cloud: Pick<Cloud, "maximumConcurrency">,
): MappingProperties {
  const { FunctionName, BatchSize, ScalingConfig, FunctionResponseTypes } = properties;
  const maximum = ScalingConfig?.MaximumConcurrency ?? cloud.maximumConcurrency;
  return {
    functionName: nameInArn(FunctionName),
    batchSize: BatchSize,
    maximumConcurrency: Math.min(maximum, cloud.maximumConcurrency),
    reportBatchItemFailures: FunctionResponseTypes.length > 0,
  };
}
