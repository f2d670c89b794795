import { DeleteParameterCommand } from "@aws-sdk/client-ssm";
import * as v from "valibot";
import type { Created } from "../created.ts";
import type { DeployedResource } from "../deployed-resource.ts";
import { physicalName } from "../physical-name.ts";
import { type ResourceRequest, readProperties, type Stack } from "../resource.ts";

const schema = v.object({
  Name: v.optional(v.string()),
  Type: v.literal("String"),
  Value: v.string(),
});

/** AWS::SSM::Parameter. */
export function createParameter(request: ResourceRequest): Created {
  const { stack, logicalId } = request;
  const { Name, Type, Value } = readProperties(schema, request);
  const name = Name ?? physicalName(stack, logicalId);
  stack.cloud.ssm.put(name, Value);
  return { physicalId: name, attributes: { Type, Value } };
}

/** Another name is another parameter. */
export function changeParameter(
  request: ResourceRequest,
  { properties }: DeployedResource,
): Created | "replace" {
  return request.properties["Name"] === properties["Name"] ? createParameter(request) : "replace";
}

export async function removeParameter(
  { physicalId: Name }: DeployedResource,
  { clients }: Stack,
): Promise<void> {
  await clients.ssm.send(new DeleteParameterCommand({ Name }));
}
