import { QueueDoesNotExist, SetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import * as v from "valibot";
import type { Created } from "../created.ts";
import type { DeployedResource } from "../deployed-resource.ts";
import { type ResourceRequest, readProperties, type Stack } from "../resource.ts";

const schema = v.object({
  PolicyDocument: v.record(v.string(), v.unknown()),
  Queues: v.pipe(v.array(v.string()), v.minLength(1)),
});

/** AWS::SQS::QueuePolicy, which sets the policy of queues that exist. */
export async function createQueuePolicy(request: ResourceRequest): Promise<Created> {
  const { PolicyDocument, Queues } = readProperties(schema, request);
  const Attributes = { Policy: JSON.stringify(PolicyDocument) };
  for (const QueueUrl of Queues) {
    await request.stack.clients.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
  }
  return { physicalId: request.logicalId, attributes: {} };
}

/** Sets it, and takes it off the queues that it is no longer for. */
export async function changeQueuePolicy(
  request: ResourceRequest,
  before: DeployedResource,
): Promise<Created> {
  const created = await createQueuePolicy(request);
  const { Queues } = readProperties(schema, request);
  await takeOff(
    request.stack,
    queuesOf(before).filter((queueUrl) => !Queues.includes(queueUrl)),
  );
  return created;
}

/** Takes the policy off the queues that are there still. */
export async function removeQueuePolicy(policy: DeployedResource, stack: Stack): Promise<void> {
  await takeOff(stack, queuesOf(policy));
}

function queuesOf({ properties }: DeployedResource): readonly string[] {
  return properties["Queues"] as readonly string[];
}

async function takeOff({ clients }: Stack, queueUrls: readonly string[]): Promise<void> {
  for (const QueueUrl of queueUrls) {
    const command = new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: "" } });
    await clients.sqs.send(command).catch((error: unknown) => {
      if (!(error instanceof QueueDoesNotExist)) throw error;
    });
  }
}
