import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Answer, type ListenOptions, type LocalServer, listen } from "./server.ts";

/**
 * An error that the service answers with. `type` is the wire's `__type`, `queryCode` the code that
 * SQS sends beside it in `x-amzn-query-error` and that the SDK then uses as the error's name.
 */
export class ServiceError extends Error {
  readonly type: string;
  readonly status: number;
  readonly queryCode: string | undefined;
  /** Further fields of the body, such as `CancellationReasons`. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    type: string,
    message: string,
    options: {
      readonly status?: number;
      readonly queryCode?: string;
      readonly fields?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message);
    this.name = "ServiceError";
    this.type = type;
    this.status = options.status ?? 400;
    this.queryCode = options.queryCode;
    this.fields = options.fields ?? {};
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the body is whatever a client sent; each operation checks its own.
export type Operation = (input: any, request: IncomingMessage) => unknown;

export type JsonService = {
  /** JSON protocol version of the service: 1.0 for SQS, DynamoDB, CloudWatch; 1.1 for SSM. */
  readonly version: "1.0" | "1.1";
  /** By the part of `x-amz-target` after the dot, such as `SendMessage`. */
  readonly operations: Readonly<Record<string, Operation>>;
};

/** Serves a service that speaks the AWS JSON protocol, as the SDK clients do, on loopback. */
export function serveJson(service: JsonService, options: ListenOptions = {}): Promise<LocalServer> {
  return listen((request, body) => answerJson(service, request, body), options);
}

async function answerJson(
  { version, operations }: JsonService,
  request: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  const contentType = `application/x-amz-json-${version}`;
  const headers = { "x-amzn-requestid": randomUUID() };
  try {
    const operation = operationOf(operations, request);
    const result = await operation(parse(body), request);
    return { status: 200, contentType, headers, body: JSON.stringify(result ?? {}) };
  } catch (error) {
    return { contentType, ...failure(error, headers) };
  }
}

function operationOf(
  operations: Readonly<Record<string, Operation>>,
  request: IncomingMessage,
): Operation {
  const target = String(request.headers["x-amz-target"] ?? "");
  const name = target.slice(target.lastIndexOf(".") + 1);
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) {
    throw new ServiceError("UnknownOperationException", `Unknown operation \`${target}\``);
  }
  return operation;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString() || "{}");
  } catch (cause) {
    throw new ServiceError("SerializationException", `The body is not JSON: ${cause}`);
  }
}

function failure(
  error: unknown,
  headers: Readonly<Record<string, string>>,
): Omit<Answer, "contentType"> {
  if (!(error instanceof ServiceError)) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      status: 500,
      headers,
      body: JSON.stringify({ __type: "InternalServerError", message }),
    };
  }
  const query =
    error.queryCode === undefined ? {} : { "x-amzn-query-error": `${error.queryCode};Sender` };
  return {
    status: error.status,
    headers: { ...headers, ...query },
    body: JSON.stringify({ __type: error.type, message: error.message, ...error.fields }),
  };
}
