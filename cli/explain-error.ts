import { CommandError, type Explanation } from "./command-error.ts";

/**
 * What an error means for whoever typed the command. Errors of AWS and of the network come down to
 * one line with the remedy; undefined for an error that is a defect of the command's own.
 */
export function explainError(error: unknown): Explanation | undefined {
  if (error instanceof CommandError) {
    return { code: error.code, message: error.message, remedy: error.remedy };
  }
  if (!(error instanceof Error)) return undefined;
  const known = KNOWN.find(
    ({ names, text }) => names.has(nameOf(error)) || text?.test(error.message),
  );
  if (known !== undefined) {
    const message = oneLine(error.message) || known.code;
    const remedy = known.code === "access-denied" ? accessRemedy(message) : known.remedy;
    return { code: known.code, message, remedy };
  }
  if (!isFromAws(error)) return undefined;
  return {
    code: "aws",
    message: `${error.name}: ${oneLine(error.message)}`,
    remedy: "see what AWS says of this error, then ask again",
  };
}

type Known = {
  readonly code: string;
  /** Error names of AWS, and system errors of Node. */
  readonly names: ReadonlySet<string>;
  readonly text?: RegExp;
  readonly remedy: string;
};

/** In this order: an expired token also comes as a credentials error. */
const KNOWN: readonly Known[] = [
  {
    code: "expired-credentials",
    names: new Set(["ExpiredToken", "ExpiredTokenException", "RequestExpired"]),
    text: /token .*(?:is|has) expired|session .*(?:expired|invalid)|ExpiredToken/i,
    remedy: "sign in again (`aws sso login`, or new temporary credentials) and repeat the command",
  },
  {
    code: "no-region",
    names: new Set(),
    text: /region is missing|region not accepted/i,
    remedy: "set AWS_REGION to the region of the stack, or a region in the profile",
  },
  {
    code: "no-credentials",
    names: new Set(["CredentialsProviderError", "TokenProviderError"]),
    remedy: "set AWS_PROFILE, sign in (`aws sso login`), or set AWS_ACCESS_KEY_ID and its secret",
  },
  {
    code: "wrong-credentials",
    names: new Set([
      "UnrecognizedClientException",
      "InvalidClientTokenId",
      "InvalidSignatureException",
      "SignatureDoesNotMatch",
      "IncompleteSignature",
      "MissingAuthenticationToken",
    ]),
    remedy:
      "check AWS_PROFILE, the key, the clock of this machine, and whether AWS_REGION is enabled in the account; `aws sts get-caller-identity` shows who you are",
  },
  {
    code: "access-denied",
    names: new Set(["AccessDenied", "AccessDeniedException"]),
    text: /is not authorized to perform/,
    // `accessRemedy` says which.
    remedy: "attach one of the stack's policies",
  },
  {
    code: "function-missing",
    names: new Set(),
    text: /function not found|resource you requested does not exist/i,
    remedy: "the function or mapping that the SSM parameter names is gone: deploy the stack again",
  },
  {
    code: "table-missing",
    names: new Set(["ResourceNotFoundException"]),
    remedy: "the ledger that the SSM parameter names is gone: deploy the stack again",
  },
  {
    code: "queue-missing",
    names: new Set([
      "QueueDoesNotExist",
      "AWS.SimpleQueueService.NonExistentQueue",
      "NonExistentQueue",
    ]),
    remedy: "the queue that the SSM parameter names is gone: deploy the stack again",
  },
  {
    code: "throttled",
    names: new Set([
      "ThrottlingException",
      "Throttling",
      "RequestThrottled",
      "TooManyRequestsException",
      "ProvisionedThroughputExceededException",
      "RequestLimitExceeded",
    ]),
    remedy: "AWS refuses so many requests: wait some seconds and repeat the command",
  },
  {
    code: "unreachable",
    names: new Set([
      "TimeoutError",
      "ECONNREFUSED",
      "ECONNRESET",
      "ENOTFOUND",
      "EAI_AGAIN",
      "EHOSTUNREACH",
      "ENETUNREACH",
      "ETIMEDOUT",
    ]),
    remedy: "check AWS_REGION, the network and any AWS_ENDPOINT_URL variables",
  },
];

/** Names the action that is missing and the stack's policy that grants it. */
function accessRemedy(message: string): string {
  const [, action] = /not authorized to perform:? ([\w-]+:\w+)/.exec(message) ?? [];
  if (action === undefined) {
    return "attach the stack's policy for what you do: ViewerPolicyArn, OperatorPolicyArn or AdminPolicyArn among its outputs";
  }
  const [output, who] = policyWith(action, message);
  return `ask for \`${action}\`: the stack's policy for ${who} grants it (its output ${output})`;
}

function policyWith(action: string, message: string): readonly [output: string, who: string] {
  if (action === "sqs:SendMessage" || PUBLISHING_PARAMETER.test(message)) {
    return ["PublisherPolicyArn", "publishers"];
  }
  if (action !== "lambda:InvokeFunction") return ["ViewerPolicyArn", "viewers"];
  return /function:\S*payload/i.test(message)
    ? ["AdminPolicyArn", "administrators"]
    : ["OperatorPolicyArn", "operators"];
}

/** The parameter that only `publish` reads; all other verbs read the one below it. */
const PUBLISHING_PARAMETER = /:parameter\/backlogorder\/[A-Za-z0-9-]+(?![\w/-])/;

function nameOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" && /^E[A-Z_]+$/.test(code) ? code : error.name;
}

function isFromAws(error: Error): boolean {
  return "$metadata" in error || "$fault" in error;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
