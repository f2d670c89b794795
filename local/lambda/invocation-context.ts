import type { Invoke } from "./environment-protocol.ts";

/** The second argument of a handler.
 *  https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html */
export type InvocationContext = {
  readonly awsRequestId: string;
  readonly functionName: string;
  readonly functionVersion: string;
  readonly invokedFunctionArn: string;
  /** Decimal text. */
  readonly memoryLimitInMB: string;
  readonly logGroupName: string;
  readonly logStreamName: string;
  callbackWaitsForEmptyEventLoop: boolean;
  /** Below 0 once the time is up. */
  getRemainingTimeInMillis(): number;
};

/** Reads what does not change between invocations from the environment's own variables. */
export function invocationContext(invoke: Invoke): InvocationContext {
  return {
    awsRequestId: invoke.requestId,
    functionName: variable("AWS_LAMBDA_FUNCTION_NAME"),
    functionVersion: variable("AWS_LAMBDA_FUNCTION_VERSION"),
    invokedFunctionArn: invoke.functionArn,
    memoryLimitInMB: variable("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"),
    logGroupName: variable("AWS_LAMBDA_LOG_GROUP_NAME"),
    logStreamName: variable("AWS_LAMBDA_LOG_STREAM_NAME"),
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => invoke.deadlineMs - Date.now(),
  };
}

function variable(name: string): string {
  // biome-ignore lint/style/noProcessEnv: a Lambda runtime learns its function from its variables.
  return process.env[name] ?? "";
}
