import { arnOf } from "../arn.ts";
import type { Created } from "../created.ts";
import { physicalName } from "../physical-name.ts";
import type { ResourceRequest } from "../resource.ts";

/** AWS::CloudWatch::Alarm. */
export function createAlarm(request: ResourceRequest): Created {
  const AlarmName = nameOf(request);
  request.stack.cloud.cloudwatch.putAlarm({ ...request.properties, AlarmName });
  return created(request, AlarmName);
}

/** AWS::CloudWatch::CompositeAlarm. The alarms of its rule must exist. */
export function createCompositeAlarm(request: ResourceRequest): Created {
  const AlarmName = nameOf(request);
  request.stack.cloud.cloudwatch.putComposite({ ...request.properties, AlarmName });
  return created(request, AlarmName);
}

function nameOf({ properties, stack, logicalId }: ResourceRequest): string {
  const { AlarmName } = properties;
  return AlarmName === undefined ? physicalName(stack, logicalId) : String(AlarmName);
}

function created({ stack }: ResourceRequest, name: string): Created {
  return { physicalId: name, attributes: { Arn: arnOf(stack, "cloudwatch", `alarm:${name}`) } };
}
