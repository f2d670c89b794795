import type { IncomingMessage } from "node:http";
import type { ListenOptions } from "../http/server.ts";
import { ACCOUNT_ID } from "./environment.ts";

/** What one request asks for, as a policy of IAM would have to grant it. */
export type ServiceCall = {
  /** Access key id of who signed it. A deployed function's is its name. */
  readonly caller: string;
  /** As `sqs:SendMessage`. A request that is not known here is `<service>:<method> <path>`, which no
   *  policy grants. */
  readonly action: string;
  /** ARN of a queue, table, index or mapping; `*` where the request names none. */
  readonly resource: string;
};

/** Gives what each signed request asks for, one that is refused included. A batch asks once for each
 *  table, a transaction once for each item. */
export function callWatcher(
  onCall: (call: ServiceCall) => void,
): NonNullable<ListenOptions["onRequest"]> {
  return (request, body) => {
    const signed = SIGNED.exec(request.headers.authorization ?? "");
    if (signed === null) return;
    const [, caller = "", region = "", service = ""] = signed;
    for (const { action, resource } of asksOf(service, region, request, body)) {
      onCall({ caller, action, resource });
    }
  };
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-authentication-methods.html */
const SIGNED = /Credential=([^/,]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/;

type Ask = Omit<ServiceCall, "caller">;

function asksOf(
  service: string,
  region: string,
  request: IncomingMessage,
  body: Buffer,
): readonly Ask[] {
  const operation = /\.(\w+)$/.exec(String(request.headers["x-amz-target"] ?? ""))?.[1];
  if (operation === undefined) return [restAsk(service, region, request)];
  switch (service) {
    case "sqs":
      return [queueAsk(operation, region, inputOf(body))];
    case "dynamodb":
      return tableAsks(operation, region, inputOf(body));
    case "monitoring":
      return [{ action: `cloudwatch:${operation}`, resource: "*" }];
    default:
      return [{ action: `${service}:${operation}`, resource: "*" }];
  }
}

/** What is no JSON is for the service to refuse; it asks for the operation all the same. */
function inputOf(body: Buffer): object {
  try {
    return JSON.parse(body.toString());
  } catch {
    return {};
  }
}

function restAsk(service: string, region: string, { method, url }: IncomingMessage): Ask {
  const mapping = /^\/2015-03-31\/event-source-mappings\/([^/?]+)$/.exec(url ?? "")?.[1];
  if (service !== "lambda" || mapping === undefined || method !== "PUT") {
    return { action: `${service}:${method} ${url}`, resource: "*" };
  }
  const resource = `arn:aws:lambda:${region}:${ACCOUNT_ID}:event-source-mapping:${mapping}`;
  return { action: "lambda:UpdateEventSourceMapping", resource };
}

/** A batch needs the right of its one call. */
function queueAsk(
  operation: string,
  region: string,
  { QueueUrl }: { readonly QueueUrl?: string },
): Ask {
  const queue = QueueUrl?.split("/").at(-1);
  return {
    action: `sqs:${operation.replace(/Batch$/, "")}`,
    resource: queue === undefined ? "*" : `arn:aws:sqs:${region}:${ACCOUNT_ID}:${queue}`,
  };
}

type Named = { readonly TableName?: string; readonly IndexName?: string };

type TableInput = Named & {
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, Named>>[];
};

/** A transaction needs the right of each of its items.
 *  https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html */
function tableAsks(operation: string, region: string, input: TableInput): readonly Ask[] {
  const ask = (name: string, { TableName, IndexName }: Named): Ask => {
    const table = `arn:aws:dynamodb:${region}:${ACCOUNT_ID}:table/${TableName}`;
    const named = IndexName === undefined ? table : `${table}/index/${IndexName}`;
    return { action: `dynamodb:${name}`, resource: TableName === undefined ? "*" : named };
  };
  const { RequestItems, TransactItems } = input;
  if (TransactItems !== undefined) {
    return TransactItems.flatMap(Object.entries<Named>).map(([kind, item]) =>
      ask(kind === "ConditionCheck" ? "ConditionCheckItem" : `${kind}Item`, item),
    );
  }
  if (RequestItems !== undefined) {
    return Object.keys(RequestItems).map((TableName) => ask(operation, { TableName }));
  }
  return [ask(operation, input)];
}
