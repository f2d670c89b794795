import * as v from "valibot";
import type { Created } from "../created.ts";
import { physicalName } from "../physical-name.ts";
import { type ResourceRequest, readProperties } from "../resource.ts";

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
