import { ServiceError } from "../http/aws-json.ts";
import type { Answer } from "../http/server.ts";
import type { AsyncInvocations } from "./async-invocations.ts";
import { ThrottledError } from "./concurrency.ts";
import type { InvocationResult } from "./execution-environment.ts";
import { functionNamed } from "./function-routes.ts";
import type { Functions } from "./functions.ts";
import type { RestRequest, Route } from "./rest-route.ts";

// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const SYNC_BYTES_MAX = 6 * 1024 * 1024;
const ASYNC_BYTES_MAX = 1024 * 1024;

/**
 * AWS answers 429 at once when an account's concurrency is used up. With the few slots of one
 * machine that would be the rule, so a direct invocation queues for a while first.
 */
export const DIRECT_WAIT_MS = 5_000;

/** Invoke: synchronous, asynchronous and dry run. */
export function invokeRoute(functions: Functions, asyncInvocations: AsyncInvocations): Route {
  return {
    method: "POST",
    pattern: /^\/2015-03-31\/functions\/(?<name>[^/]+)\/invocations$/,
    async answer(request): Promise<Answer> {
      const { name } = functionNamed(functions, request.path["name"]);
      const type = request.headers["x-amz-invocation-type"] ?? "RequestResponse";
      switch (type) {
        case "RequestResponse": {
          const event = eventOf(request, SYNC_BYTES_MAX);
          const tail = request.headers["x-amz-log-type"] === "Tail";
          return answerOf(await invoked(functions, name, event), tail);
        }
        case "Event": {
          const requestId = asyncInvocations.accept(name, eventOf(request, ASYNC_BYTES_MAX));
          return empty(202, { "x-amzn-requestid": requestId });
        }
        case "DryRun":
          return empty(204);
        default:
          throw new ServiceError(
            "InvalidParameterValueException",
            `Expected X-Amz-Invocation-Type to be RequestResponse, Event or DryRun, got ${type}`,
          );
      }
    },
  };
}

/** An absent payload is an empty object to the handler. */
function eventOf({ body }: RestRequest, bytesMax: number): string {
  if (body.length > bytesMax) {
    throw new ServiceError(
      "RequestTooLargeException",
      `Request must be smaller than ${bytesMax} bytes for the InvokeFunction operation`,
      { status: 413 },
    );
  }
  const event = body.toString() || "{}";
  try {
    JSON.parse(event);
  } catch (cause) {
    throw new ServiceError(
      "InvalidRequestContentException",
      `Could not parse request body into json: ${cause}`,
    );
  }
  return event;
}

async function invoked(
  functions: Functions,
  name: string,
  event: string,
): Promise<InvocationResult> {
  try {
    return await functions.invoke(name, event, { waitMs: DIRECT_WAIT_MS });
  } catch (error) {
    if (!(error instanceof ThrottledError)) throw error;
    throw new ServiceError("TooManyRequestsException", error.message, {
      status: 429,
      fields: { Reason: "ConcurrentInvocationLimitExceeded" },
    });
  }
}

function answerOf(result: InvocationResult, tail: boolean): Answer {
  const { requestId, payload, functionError, logTail } = result;
  return {
    status: 200,
    contentType: "application/json",
    body: JSON.stringify(payload),
    headers: {
      "x-amzn-requestid": requestId,
      "x-amz-executed-version": "$LATEST",
      ...(functionError === undefined ? {} : { "x-amz-function-error": functionError }),
      ...(tail ? { "x-amz-log-result": Buffer.from(logTail).toString("base64") } : {}),
    },
  };
}

function empty(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, contentType: "application/json", body: "", headers };
}
