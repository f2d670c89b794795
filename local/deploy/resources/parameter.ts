import * as v from "valibot";
import { physicalName } from "../physical-name.ts";
import { type Created, type ResourceRequest, readProperties } from "../resource.ts";

const schema = v.object({
  Name: v.optional(v.string()),
  Type: v.literal("String"),
  Value: v.string(),
});

/** AWS::SSM::Parameter. */
export function createParameter(request: ResourceRequest): Created {
  const { stack, logicalId } = request;
  const { Name, Type, Value } = readProperties(schema, request);
  const name = Name ?? physicalName(stack.stackName, logicalId);
  stack.cloud.ssm.put(name, Value);
  return { physicalId: name, attributes: { Type, Value } };
}
