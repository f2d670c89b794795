import { nameInArn } from "../arn.ts";
import type { Created } from "../created.ts";
import { type CustomResourceRequest, requestCustomResource } from "../custom-resource-request.ts";
import type { DeployedResource } from "../deployed-resource.ts";
import type { ResourceRequest, Stack } from "../resource.ts";

/** Custom::* and AWS::CloudFormation::CustomResource: its function is asked to create it. */
export function createCustomResource(request: ResourceRequest): Promise<Created> {
  const { stack, ...resource } = request;
  return asked(stack, "Create", resource);
}

/** Its function is asked to change it. One that answers with another id has made another one. */
export function changeCustomResource(
  request: ResourceRequest,
  { physicalId }: DeployedResource,
): Promise<Created> {
  const { stack, ...resource } = request;
  return asked(stack, "Update", resource, physicalId);
}

/** Its function is asked to delete it. */
export async function removeCustomResource(
  { logicalId, type, properties, physicalId }: DeployedResource,
  stack: Stack,
): Promise<void> {
  await asked(stack, "Delete", { logicalId, type, properties }, physicalId);
}

async function asked(
  { stackId, cloud }: Stack,
  requestType: CustomResourceRequest["requestType"],
  resource: Omit<ResourceRequest, "stack">,
  physicalResourceId?: string,
): Promise<Created> {
  const functionName = nameInArn(String(resource.properties["ServiceToken"]));
  const answer = await requestCustomResource(cloud.lambda, functionName, {
    requestType,
    stackId,
    ...resource,
    ...(physicalResourceId === undefined ? {} : { physicalResourceId }),
  });
  return { physicalId: answer.physicalResourceId, attributes: answer.data };
}
