import * as v from "valibot";
import { nameInArn } from "../arn.ts";
import type { Created } from "../created.ts";
import type { DeployedResource } from "../deployed-resource.ts";
import { type ResourceRequest, readProperties, type Stack } from "../resource.ts";

/** What Lambda does where nobody says otherwise. */
const RETRIES_DEFAULT = 2;

const schema = v.object({
  FunctionName: v.string(),
  MaximumRetryAttempts: v.optional(v.number(), RETRIES_DEFAULT),
});

/** AWS::Lambda::EventInvokeConfig: how often a failed asynchronous invocation is repeated. */
export function createEventInvokeConfig(request: ResourceRequest): Created {
  const { FunctionName, MaximumRetryAttempts } = readProperties(schema, request);
  const name = nameInArn(FunctionName);
  request.stack.cloud.lambda.updateFunction(name, { asyncRetriesMax: MaximumRetryAttempts });
  return { physicalId: request.logicalId, attributes: {} };
}

/** Its function is there still, as it is deleted after all that names it. */
export function removeEventInvokeConfig({ properties }: DeployedResource, { cloud }: Stack): void {
  const name = nameInArn(String(properties["FunctionName"]));
  cloud.lambda.updateFunction(name, { asyncRetriesMax: RETRIES_DEFAULT });
}
