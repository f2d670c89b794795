import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import type { Assets } from "../assets.ts";
import type { Created } from "../created.ts";
import type { DeployedResource } from "../deployed-resource.ts";
import { intrinsicOf } from "../intrinsic.ts";
import { physicalName } from "../physical-name.ts";
import { type ResourceRequest, readProperties } from "../resource.ts";
import type { Template } from "../template.ts";

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
  const { Code, Handler, Timeout, MemorySize, Environment, FunctionName } = readProperties(
    schema,
    request,
  );
  const codeDirectory = codeIn(stack.assets, Code.S3Key);
  const asyncRetriesMax = retriesOf(logicalId, stack.template);
  const { name, arn } = stack.cloud.lambda.createFunction({
    name: FunctionName ?? physicalName(stack, logicalId, { lengthMax: 64 }),
    codeDirectory,
    handler: Handler,
    timeoutSeconds: Timeout,
    memoryMb: MemorySize,
    environment: Environment.Variables,
    ...(asyncRetriesMax === undefined ? {} : { asyncRetriesMax }),
  });
  return { physicalId: name, attributes: { Arn: arn } };
}

/** Changes its code and what nothing here reads, such as its description. */
export function changeFunction(request: ResourceRequest, before: DeployedResource): Created {
  const { Code, ...settings } = readProperties(schema, request);
  const { properties } = before;
  const { Code: codeBefore, ...settingsBefore } = readProperties(schema, {
    ...request,
    properties,
  });
  if (!isDeepStrictEqual(settings, settingsBefore)) {
    throw new RangeError(
      "Expected the function's settings as they are, as only its code is changed here. Start in an empty folder",
    );
  }
  const { assets, cloud } = request.stack;
  if (Code.S3Key !== codeBefore.S3Key) {
    cloud.lambda.updateFunctionCode(before.physicalId, codeIn(assets, Code.S3Key));
  }
  return before;
}

function codeIn(assets: Assets, key: string): string {
  const directory = assets.get(key);
  if (directory !== undefined) return directory;
  throw new RangeError(
    `Expected code among the synthesized assets, got ${key}. Synthesize the app again`,
  );
}

/** What the function's AWS::Lambda::EventInvokeConfig says, which AWS applies to it afterwards. */
function retriesOf(functionId: string, { Resources }: Template): number | undefined {
  const config = Object.values(Resources).find(
    ({ Type, Properties }) =>
      Type === "AWS::Lambda::EventInvokeConfig" &&
      intrinsicOf(Properties["FunctionName"])?.argument === functionId,
  );
  const retries = config?.Properties["MaximumRetryAttempts"];
  return typeof retries === "number" ? retries : undefined;
}
