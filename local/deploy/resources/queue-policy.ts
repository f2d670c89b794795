import { SetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import * as v from "valibot";
import type { Created } from "../created.ts";
import { type ResourceRequest, readProperties } from "../resource.ts";

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
