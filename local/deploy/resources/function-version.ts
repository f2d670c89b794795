import { arnOf, nameInArn } from "../arn.ts";
import type { Created } from "../created.ts";
import type { ResourceRequest } from "../resource.ts";

/** AWS::Lambda::Version: the function's first one. Its function runs as it was deployed. */
export function createFunctionVersion({ stack, properties }: ResourceRequest): Created {
  const name = nameInArn(String(properties["FunctionName"]));
  const arn = arnOf(stack, "lambda", `function:${name}:1`);
  return { physicalId: arn, attributes: { Version: "1", FunctionArn: arn } };
}
