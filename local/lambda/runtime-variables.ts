import { randomUUID } from "node:crypto";
import type { FunctionVersion } from "./function-version.ts";

/**
 * Every variable that a function's process gets; nothing is inherited. The runtime's own names win
 * over the function's, as on AWS.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export function runtimeVariables(
  version: FunctionVersion,
  region: string,
  childEnvironment: Readonly<Record<string, string>>,
): Record<string, string> {
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "/");
  return {
    ...version.environment,
    ...childEnvironment,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    // Tells its requests from those of others. Nothing checks a signature.
    AWS_ACCESS_KEY_ID: version.name,
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_LAMBDA_FUNCTION_NAME: version.name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(version.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${version.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: `${day}/[$LATEST]${randomUUID().replaceAll("-", "")}`,
    LAMBDA_TASK_ROOT: version.codeDirectory,
    _HANDLER: version.handler,
    TZ: "UTC",
  };
}
