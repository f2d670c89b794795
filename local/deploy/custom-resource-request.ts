import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { listen } from "../http/server.ts";
import type { Lambda } from "../lambda/server.ts";

export type CustomResourceRequest = {
  readonly requestType: "Create" | "Update" | "Delete";
  readonly stackId: string;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Of the resource that exists; absent while it is created. */
  readonly physicalResourceId?: string;
};

export type CustomResourceAnswer = {
  readonly physicalResourceId: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** CloudFormation waits for an hour unless told otherwise. */
const SERVICE_TIMEOUT_SECONDS = 3600;

/** An hour is long for somebody who waits at a terminal. */
const WAIT_SECONDS_MAX = 60;

/**
 * Asks a custom resource's function as CloudFormation does, and waits for the answer that the function
 * sends to the request's address: up to the resource's ServiceTimeout, a minute at most.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-requests.html
 * @throws Error with the function's Reason if it answers FAILED, fails itself or does not answer.
 */
export async function requestCustomResource(
  lambda: Pick<Lambda, "invoke">,
  functionName: string,
  request: CustomResourceRequest,
): Promise<CustomResourceAnswer> {
  const answered = Promise.withResolvers<string>();
  let hasAnswered = false;
  const cloudFormation = await listen(async (_request, body) => {
    hasAnswered = true;
    answered.resolve(body.toString());
    return { status: 200, contentType: "text/plain", body: "" };
  });
  const done = async (): Promise<string> => {
    // To its end, as the function still reads the reply to its answer.
    const { functionError, payload } = await lambda.invoke(
      functionName,
      eventOf(request, cloudFormation.url),
    );
    // Lambda would repeat it, one and two minutes later; nobody waits for that here.
    if (functionError !== undefined && !hasAnswered) {
      throw new Error(`Expected an answer, got a function error: ${JSON.stringify(payload)}`);
    }
    return answered.promise;
  };
  const waiting = new AbortController();
  try {
    const late = tooLate(functionName, waitSeconds(request), waiting.signal);
    return answerOf(await Promise.race([done(), late]));
  } finally {
    waiting.abort();
    await cloudFormation.close();
  }
}

function eventOf(request: CustomResourceRequest, url: string): unknown {
  const { requestType, stackId, logicalId, type, properties, physicalResourceId } = request;
  const requestId = randomUUID();
  return {
    RequestType: requestType,
    ResponseURL: `${url}/${requestId}`,
    StackId: stackId,
    RequestId: requestId,
    LogicalResourceId: logicalId,
    ...(physicalResourceId === undefined ? {} : { PhysicalResourceId: physicalResourceId }),
    ResourceType: type,
    ServiceToken: properties["ServiceToken"],
    ResourceProperties: textsOf(properties),
  };
}

/** CloudFormation hands numbers and booleans over as text. */
function textsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textsOf);
  if (typeof value !== "object" || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, textsOf(item)]));
}

function waitSeconds({ properties }: CustomResourceRequest): number {
  const timeout = Number(properties["ServiceTimeout"] ?? SERVICE_TIMEOUT_SECONDS);
  return Math.min(timeout, WAIT_SECONDS_MAX);
}

async function tooLate(functionName: string, seconds: number, signal: AbortSignal): Promise<never> {
  await delay(1000 * seconds, undefined, { signal });
  throw new Error(
    `Expected ${functionName} to answer within ${seconds} s, got nothing. Its log says why`,
  );
}

const answerSchema = v.variant("Status", [
  v.object({ Status: v.literal("FAILED"), Reason: v.optional(v.string(), "no reason given") }),
  v.object({
    Status: v.literal("SUCCESS"),
    PhysicalResourceId: v.pipe(v.string(), v.minLength(1)),
    Data: v.optional(v.record(v.string(), v.unknown()), {}),
  }),
]);

function answerOf(body: string): CustomResourceAnswer {
  const answer = v.parse(answerSchema, JSON.parse(body));
  if (answer.Status === "FAILED") throw new Error(answer.Reason);
  return { physicalResourceId: answer.PhysicalResourceId, data: answer.Data };
}
