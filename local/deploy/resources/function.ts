import { DeleteFunctionCommand } from "@aws-sdk/client-lambda";
import * as v from "valibot";
import type { FunctionProps } from "../../lambda/function-version.ts";
import type { Assets } from "../assets.ts";
import type { Created } from "../created.ts";
import type { DeployedResource } from "../deployed-resource.ts";
import { physicalName } from "../physical-name.ts";
import { type ResourceRequest, readProperties, type Stack } from "../resource.ts";

const schema = v.object({
  FunctionName: v.optional(v.string()),
  Code: v.object({ S3Key: v.string() }),
  Handler: v.string(),
  // What Lambda takes where a template says nothing.
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  Environment: v.optional(
    v.object({
      Variables: v.optional(
        v.record(v.string(), v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.toString())),
        {},
      ),
    }),
    {},
  ),
});

/** AWS::Lambda::Function, its code from the assets of the synthesized app. */
export function createFunction(request: ResourceRequest): Created {
  const { stack, logicalId } = request;
  const { FunctionName, Code, ...settings } = readProperties(schema, request);
  const { name, arn } = stack.cloud.lambda.createFunction({
    name: FunctionName ?? physicalName(stack, logicalId, { lengthMax: 64 }),
    codeDirectory: codeIn(stack.assets, Code.S3Key),
    ...settingsOf(settings),
  });
  return { physicalId: name, attributes: { Arn: arn } };
}

/** Changes its code and settings, for the next invocation. Another name is another function. */
export function changeFunction(
  request: ResourceRequest,
  before: DeployedResource,
): Created | "replace" {
  const { FunctionName, Code, ...settings } = readProperties(schema, request);
  const { properties } = before;
  const was = readProperties(schema, { ...request, properties });
  if (FunctionName !== was.FunctionName) return "replace";
  const { assets, cloud } = request.stack;
  cloud.lambda.updateFunction(before.physicalId, {
    ...settingsOf(settings),
    ...(Code.S3Key !== was.Code.S3Key && { codeDirectory: codeIn(assets, Code.S3Key) }),
  });
  return before;
}

export async function removeFunction(
  { physicalId: FunctionName }: DeployedResource,
  { clients }: Stack,
): Promise<void> {
  await clients.lambda.send(new DeleteFunctionCommand({ FunctionName }));
}

type Settings = Omit<v.InferOutput<typeof schema>, "FunctionName" | "Code">;

function settingsOf({
  Handler,
  Timeout,
  MemorySize,
  Environment,
}: Settings): Pick<FunctionProps, "handler" | "timeoutSeconds" | "memoryMb" | "environment"> {
  return {
    handler: Handler,
    timeoutSeconds: Timeout,
    memoryMb: MemorySize,
    environment: Environment.Variables,
  };
}

function codeIn(assets: Assets, key: string): string {
  const directory = assets.get(key);
  if (directory !== undefined) return directory;
  throw new RangeError(
    `Expected code among the synthesized assets, got ${key}. Synthesize the app again`,
  );
}
