import { setTimeout as delay } from "node:timers/promises";
import {
  GetEventSourceMappingCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { GetQueueUrlCommand } from "@aws-sdk/client-sqs";
import { v5 as uuidFrom } from "uuid";
import * as v from "valibot";
import { arnOf, nameInArn } from "../arn.ts";
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

/** Changes what Lambda can change of it. What the template does not say stays as it is. */
export async function changeEventSourceMapping(
  request: ResourceRequest,
  before: DeployedResource,
): Promise<Created> {
  const { BatchSize, ScalingConfig, ...others } = readProperties(schema, request);
  const { EventSourceArn, FunctionName } = before.properties;
  if (others.EventSourceArn !== EventSourceArn || others.FunctionName !== FunctionName) {
    throw new RangeError(
      "Expected the mapping to keep its queue and its function, as no other change is served here. Start in an empty folder",
    );
  }
  const { clients, cloud } = request.stack;
  const maximum = ScalingConfig?.MaximumConcurrency ?? cloud.maximumConcurrency;
  const MaximumConcurrency = Math.min(maximum, cloud.maximumConcurrency);
  const Enabled = request.properties["Enabled"] as boolean | undefined;
  await clients.lambda.send(
    new UpdateEventSourceMappingCommand({
      ...{ UUID: before.physicalId, BatchSize, ScalingConfig: { MaximumConcurrency } },
      ...(Enabled === undefined ? {} : { Enabled }),
    }),
  );
  return before;
}

/** It polls no more and has nothing under way when this resolves, as one that is deleted; the
 *  embedded Lambda still lists it, disabled. */
export async function removeEventSourceMapping(
  { physicalId: UUID }: DeployedResource,
  { clients }: Stack,
): Promise<void> {
  await clients.lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }));
  for (let checks = 0; checks < CHECKS_MAX; checks += 1) {
    const { State } = await clients.lambda.send(new GetEventSourceMappingCommand({ UUID }));
    if (State === "Disabled") return;
    await delay(CHECK_EVERY_MS);
  }
  throw new Error(`Expected the mapping ${UUID} to end within a minute, got a batch under way`);
}

const CHECK_EVERY_MS = 50;
const CHECKS_MAX = 60_000 / CHECK_EVERY_MS;

/** AWS::Lambda::EventSourceMapping of a queue. Unless it is to be off, it polls from now on, with no
 *  more batches at once than this machine is to carry. */
export async function createEventSourceMapping(request: ResourceRequest): Promise<Created> {
  const { stack } = request;
  const { cloud } = stack;
  const properties = readProperties(schema, request);
  const { QueueUrl = "" } = await stack.clients.sqs.send(
    new GetQueueUrlCommand({ QueueName: nameInArn(properties.EventSourceArn) }),
  );
  const maximum = properties.ScalingConfig?.MaximumConcurrency ?? cloud.maximumConcurrency;
  const { uuid } = await cloud.lambda.createMapping(
    {
      uuid: uuidFrom(request.logicalId, stack.stackId.slice(stack.stackId.lastIndexOf("/") + 1)),
      functionName: nameInArn(properties.FunctionName),
      queueUrl: QueueUrl,
      queueArn: properties.EventSourceArn,
      batchSize: properties.BatchSize,
      maximumConcurrency: Math.min(maximum, cloud.maximumConcurrency),
      reportBatchItemFailures: properties.FunctionResponseTypes.length > 0,
    },
    { enabled: properties.Enabled },
  );
  const EventSourceMappingArn = arnOf(stack, "lambda", `event-source-mapping:${uuid}`);
  return { physicalId: uuid, attributes: { Id: uuid, EventSourceMappingArn } };
}
