import { GetQueueUrlCommand } from "@aws-sdk/client-sqs";
import { v5 as uuidFrom } from "uuid";
import * as v from "valibot";
import { arnOf, nameInArn } from "../arn.ts";
import type { Created } from "../created.ts";
import { type ResourceRequest, readProperties } from "../resource.ts";

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
