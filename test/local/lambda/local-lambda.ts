import { onTestFinished } from "vitest";
import { type Lambda, type LambdaOptions, startLambda } from "../../../local/lambda/server.ts";

/** Nothing listens there: for tests without a mapping. */
const NO_QUEUES = "http://127.0.0.1:9";

/** A Lambda that stops with the test. */
export async function localLambda(given: Partial<LambdaOptions> = {}): Promise<Lambda> {
  const lambda = await startLambda({
    region: "us-east-1",
    accountId: "000000000000",
    sqsEndpoint: NO_QUEUES,
    childEnvironment: {},
    graceSeconds: 0,
    ...given,
  });
  onTestFinished(() => lambda.close());
  return lambda;
}
