import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { CLIENT_OPTIONS } from "./aws/client-options.ts";
import {
  answerCloudFormation,
  type CustomResourceRequest,
  type Outcome,
} from "./aws/cloudformation-answer.ts";
import { readNewestSizes } from "./aws/snapshot/newest-sizes.ts";
import { systemClock } from "./aws/system-clock.ts";
import { whyNotDrained } from "./core/drained.ts";

const client = new CloudWatchClient(CLIENT_OPTIONS);

/** Leaves time to answer within the function's 60 seconds, three tries included. */
const READ_TIMEOUT_MS = 25_000;

/**
 * The custom resource that lets a generation's mapping be turned on only once the generation before is
 * drained. Every request is answered, so that no deploy waits for a time-out.
 */
export async function handler(request: CustomResourceRequest): Promise<void> {
  const outcome = await outcomeOf(request);
  console.log(
    JSON.stringify({ request: request.RequestType, ...request.ResourceProperties, outcome }),
  );
  const { PhysicalResourceId, LogicalResourceId } = request;
  const physicalId = PhysicalResourceId ?? `backlogorder-drained-${LogicalResourceId}`;
  await answerCloudFormation(request, physicalId, outcome);
}

async function outcomeOf(request: CustomResourceRequest): Promise<Outcome> {
  const { After: before, Check } = request.ResourceProperties;
  if (request.RequestType === "Delete" || Check !== "true") return { status: "SUCCESS" };
  try {
    const why = await whyNot(String(before));
    return why === undefined ? { status: "SUCCESS" } : { status: "FAILED", reason: why };
  } catch (error) {
    const reason = `The backlog ${before} could not be looked at, so nothing was changed (${error}). Deploy again once the cause is gone`;
    return { status: "FAILED", reason };
  }
}

async function whyNot(backlog: string): Promise<string | undefined> {
  const sizes = await readNewestSizes(client, backlog, {
    nowMs: systemClock.nowMs(),
    abortSignal: AbortSignal.timeout(READ_TIMEOUT_MS),
  });
  return whyNotDrained(backlog, sizes);
}
