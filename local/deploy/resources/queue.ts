import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  TagQueueCommand,
  UntagQueueCommand,
} from "@aws-sdk/client-sqs";
import * as v from "valibot";
import { defaultAttributes } from "../../sqs/queue-attributes.ts";
import type { Created } from "../created.ts";
import type { DeployedResource } from "../deployed-resource.ts";
import { physicalName } from "../physical-name.ts";
import { type ResourceRequest, readProperties, type Stack, tagsSchema } from "../resource.ts";

const schema = v.looseObject({
  QueueName: v.optional(v.string()),
  FifoQueue: v.optional(v.boolean(), false),
  Tags: tagsSchema,
});

/** AWS::SQS::Queue. Every property that is not its name or tags is an attribute of the same name. */
export async function createQueue(request: ResourceRequest): Promise<Created> {
  const { stack, logicalId } = request;
  const { Tags, FifoQueue, QueueName, ...attributes } = readProperties(schema, request);
  const ending = FifoQueue ? ".fifo" : "";
  const name = QueueName ?? physicalName(stack, logicalId, { lengthMax: 80, ending });
  const { sqs } = stack.clients;
  const { QueueUrl = "" } = await sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      // SQS refuses `FifoQueue=false`.
      Attributes: attributesOf(FifoQueue ? { FifoQueue, ...attributes } : attributes),
      tags: tagsOf(Tags),
    }),
  );
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] }),
  );
  return {
    physicalId: QueueUrl,
    attributes: { Arn: Attributes?.QueueArn, QueueName: name, QueueUrl },
  };
}

/** Sets its attributes and tags; what the template no longer says is as with a new queue. Another
 *  name, or FIFO or not, is another queue. */
export async function changeQueue(
  request: ResourceRequest,
  before: DeployedResource,
): Promise<Created | "replace"> {
  const { Tags, FifoQueue, QueueName, ...attributes } = readProperties(schema, request);
  const { properties } = before;
  const was = readProperties(schema, { ...request, properties });
  if (FifoQueue !== was.FifoQueue || QueueName !== was.QueueName) return "replace";
  const { sqs } = request.stack.clients;
  const QueueUrl = before.physicalId;
  const Attributes = { ...resetOf(was, FifoQueue), ...attributesOf(attributes) };
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
  const TagKeys = was.Tags.map(({ Key }) => Key);
  if (TagKeys.length > 0) await sqs.send(new UntagQueueCommand({ QueueUrl, TagKeys }));
  if (Tags.length > 0) await sqs.send(new TagQueueCommand({ QueueUrl, Tags: tagsOf(Tags) }));
  return before;
}

export async function removeQueue(
  { physicalId: QueueUrl }: DeployedResource,
  { clients }: Stack,
): Promise<void> {
  await clients.sqs.send(new DeleteQueueCommand({ QueueUrl }));
}

function tagsOf(tags: v.InferOutput<typeof tagsSchema>): Record<string, string> {
  return Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]));
}

/** The attributes of a queue with those properties as they would be without them. */
function resetOf(
  { Tags, FifoQueue, QueueName, ...attributes }: v.InferOutput<typeof schema>,
  fifo: boolean,
): Record<string, string> {
  const defaults = defaultAttributes(fifo);
  // A key of KMS has switched this one off.
  const names = [...Object.keys(attributes), "SqsManagedSseEnabled"];
  return Object.fromEntries(names.map((name) => [name, defaults[name] ?? ""]));
}

/** SQS takes numbers and booleans as text, and policies as JSON. */
function attributesOf(properties: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      typeof value === "object" ? JSON.stringify(value) : String(value),
    ]),
  );
}
