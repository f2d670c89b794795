import { arnOf } from "../arn.ts";
import type { Created } from "../created.ts";
import { physicalName } from "../physical-name.ts";
import type { ResourceRequest } from "../resource.ts";

/** AWS::SNS::Topic: an address. Whatever would be sent to it comes by the cloud's `onStateChange`. */
export function createTopic({ stack, logicalId, properties }: ResourceRequest): Created {
  const { TopicName } = properties;
  const name = TopicName === undefined ? physicalName(stack, logicalId) : String(TopicName);
  const arn = arnOf(stack, "sns", name);
  return { physicalId: arn, attributes: { TopicArn: arn, TopicName: name } };
}
