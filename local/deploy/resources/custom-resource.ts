import { nameInArn } from "../arn.ts";
import type { Created } from "../created.ts";
import { requestCustomResource } from "../custom-resource-request.ts";
import type { ResourceRequest } from "../resource.ts";

/** Custom::* and AWS::CloudFormation::CustomResource: its function is asked to create it. */
export async function createCustomResource(request: ResourceRequest): Promise<Created> {
  const { stack, logicalId, type, properties } = request;
  const functionName = nameInArn(String(properties["ServiceToken"]));
  const { physicalResourceId, data } = await requestCustomResource(
    stack.cloud.lambda,
    functionName,
    {
      requestType: "Create",
      stackId: stack.stackId,
      logicalId,
      type,
      properties,
    },
  );
  return { physicalId: physicalResourceId, attributes: data };
}
