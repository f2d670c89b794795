import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { CommandError } from "./command-error.ts";
import { RefusedError } from "./refused-error.ts";

/** What an operation of one of the backlog's functions is asked with. */
export type OperationRequest = Readonly<Record<string, unknown>> & { readonly operation: string };

/**
 * Invokes a function once and waits for its answer.
 * @throws RefusedError where the function refused and touched nothing.
 * @throws CommandError where it failed, or its answer is lost. Errors of AWS pass through.
 */
export async function invokeOperation<Answer>(
  lambda: LambdaClient,
  functionName: string,
  request: OperationRequest,
): Promise<Answer> {
  const { Payload, FunctionError } = await lambda
    .send(new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(request) }))
    .catch((error: unknown) => {
      throw answerLost(error, functionName) ?? error;
    });
  const text = Buffer.from(Payload ?? []).toString();
  if (FunctionError !== undefined) throw failureOf(text, functionName, request);
  return JSON.parse(text) as Answer;
}

/** Errors by which a function refuses, and what to do about each. None of them touched anything. */
const REFUSALS: ReadonlyMap<string, { readonly code: string; readonly remedy: string }> = new Map([
  [
    "ReplayPlanChangedError",
    { code: "plan-changed", remedy: "make the plan again, read it, and run that one" },
  ],
  [
    "ReplayHeldError",
    {
      code: "replay-running",
      remedy: "wait for it (`npx backlogorder replay status`) or end it (`replay cancel`)",
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
  functionName: string,
  { operation }: OperationRequest,
): CommandError {
  const { errorType = "", errorMessage = "" } = errorIn(text);
  const refusal = REFUSALS.get(errorType);
  const message = sentence(errorMessage);
  if (refusal !== undefined) return new RefusedError({ ...refusal, message });
  if (UNAVAILABLE.has(errorType)) {
    return new CommandError({
      code: "unavailable",
      message,
      remedy: "wait some seconds and repeat the command",
    });
  }
  return new CommandError({
    code: "function-failed",
    message: `The function ${functionName} failed in \`${operation}\`: ${errorType}: ${message}`,
    remedy:
      "see the function's log, and `npx backlogorder replay status`, before you repeat the command",
  });
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
function answerLost(error: unknown, functionName: string): CommandError | undefined {
  if (!(error instanceof Error) || !LOST.has(nameOf(error))) return undefined;
  if (error.message.includes("without establishing a connection")) return undefined;
  return new CommandError(
    {
      code: "answer-lost",
      message: `The connection broke before ${functionName} answered (${nameOf(error)}); what it was asked may be done, or still be under way`,
      remedy: "look at `npx backlogorder replay status` before you repeat the command",
    },
    { cause: error },
  );
}

const LOST: ReadonlySet<string> = new Set(["TimeoutError", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

function nameOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" && code.startsWith("E") ? code : error.name;
}
