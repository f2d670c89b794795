import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { CommandError } from "./command-error.ts";
import { RefusedError } from "./refused-error.ts";

/** What an operation of one of the backlog's functions is asked with. */
export type OperationRequest = Readonly<Record<string, unknown>> & { readonly operation: string };

/** One function of a backlog. */
export type BacklogFunction = {
  /** The backlog's name, which the commands in a remedy need: without it they meet another one. */
  readonly name: string;
  readonly functionName: string;
};

/**
 * Invokes a function once and waits for its answer.
 * @throws RefusedError where the function refused and touched nothing.
 * @throws CommandError where it failed, or its answer is lost. Errors of AWS pass through.
 */
export async function invokeOperation<Answer>(
  lambda: LambdaClient,
  asked: BacklogFunction,
  request: OperationRequest,
): Promise<Answer> {
  const { functionName } = asked;
  const { Payload, FunctionError } = await lambda
    .send(new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(request) }))
    .catch((error: unknown) => {
      throw answerLost(error, asked, request) ?? error;
    });
  const text = Buffer.from(Payload ?? []).toString();
  if (FunctionError !== undefined) throw failureOf(text, asked, request);
  return JSON.parse(text) as Answer;
}

type Refusal = {
  readonly code: string;
  readonly remedy: string | ((asked: BacklogFunction) => string);
};

/** Errors by which a function refuses, and what to do about each. None of them touched anything. */
const REFUSALS: ReadonlyMap<string, Refusal> = new Map([
  [
    "ReplayPlanChangedError",
    { code: "plan-changed", remedy: "make the plan again, read it, and run that one" },
  ],
  [
    "ReplayHeldError",
    {
      code: "replay-running",
      remedy: ({ name }: BacklogFunction) =>
        `wait for it (\`npx backlogorder replay status ${name}\`) or end it (\`npx backlogorder replay cancel ${name}\`)`,
    },
  ],
  ["ReplayRequestError", { code: "bad-request", remedy: "change what the message names" }],
  ["LetterRefusedError", { code: "letter-refused", remedy: "do first what the message names" }],
  [
    "UnknownOperationError",
    {
      code: "old-function",
      remedy: "deploy the stack again with this version, or use the command of the deployed one",
    },
  ],
]);

/** Errors of what the function rests on, by which it did nothing. */
const UNAVAILABLE: ReadonlySet<string> = new Set(["ReplayUnavailableError", "ActNotRecordedError"]);

function failureOf(
  text: string,
  asked: BacklogFunction,
  { operation }: OperationRequest,
): CommandError {
  const { errorType = "", errorMessage = "" } = errorIn(text);
  const refusal = REFUSALS.get(errorType);
  const message = sentence(errorMessage);
  if (refusal !== undefined) {
    const { code, remedy } = refusal;
    const text = typeof remedy === "string" ? remedy : remedy(asked);
    return new RefusedError({ code, message, remedy: text });
  }
  if (UNAVAILABLE.has(errorType)) {
    return new CommandError({
      code: "unavailable",
      message,
      remedy: "wait some seconds and repeat the command",
    });
  }
  return new CommandError({
    code: "function-failed",
    message: `The function ${asked.functionName} failed in \`${operation}\`: ${errorType}: ${message}`,
    remedy: `see the function's log; ${lookFirst(asked, operation)}`,
  });
}

/** Runs of the replay are told best by its status, all other acts by their list. */
function lookFirst({ name }: BacklogFunction, operation: string): string {
  if (operation === "plan") return "a plan changes nothing: repeat the command";
  const knows = operation === "replay" || operation === "cancel" ? "replay status" : "acts list";
  return `look at \`npx backlogorder ${knows} ${name}\` before you repeat the command`;
}

type LambdaError = { readonly errorType?: string; readonly errorMessage?: string };

function errorIn(text: string): LambdaError {
  try {
    return (JSON.parse(text) ?? {}) as LambdaError;
  } catch {
    return { errorMessage: text };
  }
}

/** One line without its full stop: the command's own text goes on behind it. */
function sentence(text: string): string {
  return text.replace(/\s+/g, " ").trim().replace(/\.$/, "");
}

/** The request may have been taken: what broke off is the wait for its answer. */
function answerLost(
  error: unknown,
  asked: BacklogFunction,
  { operation }: OperationRequest,
): CommandError | undefined {
  if (!(error instanceof Error) || !LOST.has(nameOf(error))) return undefined;
  if (error.message.includes("without establishing a connection")) return undefined;
  return new CommandError(
    {
      code: "answer-lost",
      message: `The connection broke before ${asked.functionName} answered (${nameOf(error)}); what it was asked may be done, or still be under way`,
      remedy: lookFirst(asked, operation),
    },
    { cause: error },
  );
}

const LOST: ReadonlySet<string> = new Set(["TimeoutError", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

function nameOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" && code.startsWith("E") ? code : error.name;
}
