import { randomUUID } from "node:crypto";
import { type Answer, type ListenOptions, type LocalServer, listen } from "../http/server.ts";

export type StsOptions = ListenOptions & {
  /** Twelve digits. @default twelve zeros */
  readonly accountId?: string;
  /** Who calls. @default the root user of the account */
  readonly arn?: string;
};

const NAMESPACE = "https://sts.amazonaws.com/doc/2011-06-15/";

/** Starts an embedded STS on loopback that knows one caller; GetCallerIdentity is all it answers. */
export function startSts(options: StsOptions = {}): Promise<LocalServer> {
  const { accountId = "000000000000" } = options;
  const { arn = `arn:aws:iam::${accountId}:root` } = options;
  return listen(async (_request, body) => answer(body.toString(), accountId, arn), options);
}

/** The AWS Query protocol: a form comes in, XML goes out. */
function answer(form: string, accountId: string, arn: string): Answer {
  const action = new URLSearchParams(form).get("Action") ?? "";
  if (action !== "GetCallerIdentity") return invalidAction(action);
  const result = element("Arn", arn) + element("UserId", accountId) + element("Account", accountId);
  return xml(
    200,
    "GetCallerIdentityResponse",
    `<GetCallerIdentityResult>${result}</GetCallerIdentityResult>` +
      `<ResponseMetadata>${element("RequestId", randomUUID())}</ResponseMetadata>`,
  );
}

function invalidAction(action: string): Answer {
  const error =
    element("Type", "Sender") +
    element("Code", "InvalidAction") +
    element("Message", `Could not find operation ${action}`);
  return xml(400, "ErrorResponse", `<Error>${error}</Error>${element("RequestId", randomUUID())}`);
}

function xml(status: number, root: string, content: string): Answer {
  return {
    status,
    contentType: "text/xml",
    body: `<${root} xmlns="${NAMESPACE}">${content}</${root}>`,
  };
}

function element(name: string, text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<${name}>${escaped}</${name}>`;
}
