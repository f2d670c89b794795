import { InvokeCommand } from "@aws-sdk/client-lambda";
import type { ReplayResult } from "../../lambdas/core/replay/replay-result.ts";
import type { DemoCloud } from "./demo-cloud.ts";

/** Invokes the replay function as an operator does. @throws with its own words where it fails. */
export async function invokeReplay(
  { lambda, replayFunction }: Pick<DemoCloud, "lambda" | "replayFunction">,
  request: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<ReplayResult> {
  const { Payload, FunctionError } = await lambda.send(
    new InvokeCommand({ FunctionName: replayFunction, Payload: JSON.stringify(request) }),
    signal && { abortSignal: signal },
  );
  const answer = JSON.parse(Buffer.from(Payload ?? []).toString() || "null");
  if (FunctionError !== undefined) {
    throw new Error(`The replay function failed: ${answer?.errorType}: ${answer?.errorMessage}`);
  }
  return answer;
}
