import { DeleteAlarmsCommand } from "@aws-sdk/client-cloudwatch";
import { arnOf } from "../arn.ts";
import type { Created } from "../created.ts";
import type { DeployedResource } from "../deployed-resource.ts";
import { physicalName } from "../physical-name.ts";
import type { Change, Create, ResourceRequest, Stack } from "../resource.ts";

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

/** Changes an alarm of either kind, whose name tells which one it is. */
export function changeAlarm(create: Create): Change {
  return (request, before) => (nameOf(request) === before.physicalId ? create(request) : "replace");
}

/** Deletes an alarm of either kind. */
export async function removeAlarm(
  { physicalId }: DeployedResource,
  { clients }: Stack,
): Promise<void> {
  await clients.cloudwatch.send(new DeleteAlarmsCommand({ AlarmNames: [physicalId] }));
}

function nameOf({ properties, stack, logicalId }: ResourceRequest): string {
  const { AlarmName } = properties;
  return AlarmName === undefined ? physicalName(stack, logicalId) : String(AlarmName);
}

function created({ stack }: ResourceRequest, name: string): Created {
  return { physicalId: name, attributes: { Arn: arnOf(stack, "cloudwatch", `alarm:${name}`) } };
}
