import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ServiceError } from "../http/aws-json.ts";
import type { Answer } from "../http/server.ts";

export type RestRequest = {
  /** Decoded parts of the path, by the names of the route's pattern. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type Route = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Of the whole path, with named groups. */
  readonly pattern: RegExp;
  readonly answer: (request: RestRequest) => Answer | Promise<Answer>;
};

/** Answers in the AWS REST JSON protocol. An error that is no ServiceError is a 500. */
export async function answerRest(
  routes: readonly Route[],
  request: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  try {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    for (const { method, pattern, answer } of routes) {
      const match = method === request.method ? pattern.exec(url.pathname) : null;
      if (match === null) continue;
      const path = decoded(match.groups ?? {});
      return await answer({ path, query: url.searchParams, headers: request.headers, body });
    }
    throw new ServiceError("UnknownOperationException", `No ${request.method} ${url.pathname}`, {
      status: 404,
    });
  } catch (error) {
    return failure(error);
  }
}

export function json(status: number, content: unknown): Answer {
  return { status, contentType: "application/json", body: JSON.stringify(content) };
}

/** @throws ServiceError if the body is no JSON object. */
export function jsonBody({ body }: RestRequest): Readonly<Record<string, unknown>> {
  const content = parsed(body);
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new ServiceError("SerializationException", `Expected a JSON object, got ${body}`);
  }
  return content as Readonly<Record<string, unknown>>;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString() || "{}");
  } catch (cause) {
    throw new ServiceError("SerializationException", `The body is not JSON: ${cause}`);
  }
}

function decoded(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}

function failure(error: unknown): Answer {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError(
          "ServiceException",
          error instanceof Error ? `${error.stack}` : `${error}`,
          {
            status: 500,
          },
        );
  const content = { Type: known.status < 500 ? "User" : "Service", message: known.message };
  return {
    ...json(known.status, { ...content, ...known.fields }),
    headers: { "x-amzn-errortype": known.type },
  };
}
