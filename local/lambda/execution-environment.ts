import { type EnvironmentProcess, type OutputStream, startProcess } from "./environment-process.ts";
import type { EnvironmentMessage } from "./environment-protocol.ts";
import type { FunctionVersion } from "./function-version.ts";
import { createInvocationLog } from "./invocation-log.ts";
import type { RuntimeError } from "./runtime-error.ts";
import { runtimeExited, timedOut } from "./sandbox-error.ts";

export type InvocationRequest = {
  readonly requestId: string;
  /** JSON text. */
  readonly event: string;
};

/** How an invocation ended. With a function error, `payload` is {errorType, errorMessage, trace?}. */
export type InvocationResult = {
  readonly requestId: string;
  readonly payload: unknown;
  readonly functionError?: "Unhandled";
  /** Without the cold start. */
  readonly durationMs: number;
  /** The last 4 KiB of the log. */
  readonly logTail: string;
};

export type EnvironmentOptions = {
  readonly version: FunctionVersion;
  readonly variables: Readonly<Record<string, string>>;
  readonly onLine: (stream: OutputStream, text: string) => void;
};

/** One process that runs one function, one invocation at a time. */
export type ExecutionEnvironment = {
  readonly version: FunctionVersion;
  readonly pid: number;
  /** Resolves once the process is gone. */
  readonly ended: Promise<unknown>;
  /** Never rejects: a crash, a time-out and a bundle that cannot start are function errors. */
  invoke(request: InvocationRequest): Promise<InvocationResult>;
  /** At once, whatever runs in it. */
  kill(): void;
};

/** What the process said, or how it ended instead. */
type Reply =
  | { readonly kind: "loaded" }
  | { readonly kind: "succeeded"; readonly payload: string }
  | { readonly kind: "failed"; readonly error: RuntimeError }
  | { readonly kind: "ended"; readonly how: string }
  | { readonly kind: "timedOut" };

type Internals = {
  readonly process: EnvironmentProcess;
  loaded: boolean;
  /** First to the start of the process, then to the running invocation. */
  reply: PromiseWithResolvers<Reply>;
  /** Set once the process is gone. */
  ended?: Extract<Reply, { readonly kind: "ended" }>;
  /** What the process said before it ended by itself. */
  lastWords?: RuntimeError;
};

// Lambda ends a cold start after 10 s and repeats it within the function's own timeout.
// https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-ib
const INIT_SECONDS = 10;

export function startEnvironment(options: EnvironmentOptions): ExecutionEnvironment {
  const { version } = options;
  const log = createInvocationLog();
  const internals: Internals = {
    process: startProcess({
      ...version,
      variables: options.variables,
      onMessage: (message) => take(internals, message),
      onLine(stream, text): void {
        log.write(text);
        options.onLine(stream, text);
      },
    }),
    loaded: false,
    reply: Promise.withResolvers(),
  };
  const { pid, kill } = internals.process;
  const ended = internals.process.ended.then((how) => {
    internals.ended = { kind: "ended", how };
    internals.reply.resolve(internals.ended);
  });
  return {
    version,
    pid,
    ended,
    kill,
    async invoke(request): Promise<InvocationResult> {
      const { requestId } = request;
      log.begin(requestId);
      const initError = await initErrorOf(internals, version, requestId);
      const startedAtMs = performance.now();
      const answer = initError ?? (await call(internals, version, request));
      const durationMs = performance.now() - startedAtMs;
      if ("errorType" in answer) log.write(`${answer.errorType}: ${answer.errorMessage}`);
      const logTail = log.end(requestId, durationMs, version.memoryMb);
      return "errorType" in answer
        ? { requestId, payload: answer, functionError: "Unhandled", durationMs, logTail }
        : { requestId, payload: JSON.parse(answer.payload), durationMs, logTail };
    },
  };
}

function take(internals: Internals, message: EnvironmentMessage): void {
  switch (message.kind) {
    case "ready":
      internals.loaded = true;
      internals.reply.resolve({ kind: "loaded" });
      break;
    case "initFailed":
    case "crashed":
      internals.lastWords = message.error;
      break;
    case "succeeded":
    case "failed":
      internals.reply.resolve(message);
      break;
    default:
      message satisfies never;
  }
}

/** Waits for the cold start, if there still is one. */
async function initErrorOf(
  internals: Internals,
  { timeoutSeconds }: FunctionVersion,
  requestId: string,
): Promise<RuntimeError | undefined> {
  if (internals.loaded) return undefined;
  const limitSeconds = INIT_SECONDS + timeoutSeconds;
  const reply = await replyWithin(limitSeconds, internals);
  return reply.kind === "loaded" ? undefined : errorOf(reply, internals, requestId, limitSeconds);
}

async function call(
  internals: Internals,
  { arn, timeoutSeconds }: FunctionVersion,
  { requestId, event }: InvocationRequest,
): Promise<{ readonly payload: string } | RuntimeError> {
  internals.reply = Promise.withResolvers();
  // It may have died while it was idle.
  if (internals.ended !== undefined) internals.reply.resolve(internals.ended);
  const deadlineMs = Date.now() + 1000 * timeoutSeconds;
  internals.process.send({ kind: "invoke", requestId, event, functionArn: arn, deadlineMs });
  const reply = await replyWithin(timeoutSeconds, internals);
  if (reply.kind === "succeeded" || reply.kind === "failed") await internals.process.outputRead();
  return reply.kind === "succeeded" ? reply : errorOf(reply, internals, requestId, timeoutSeconds);
}

/** Kills a process that takes longer, and resolves when it is gone. */
async function replyWithin(seconds: number, { process, reply }: Internals): Promise<Reply> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    process.kill();
  }, 1000 * seconds);
  const came = await reply.promise;
  clearTimeout(timer);
  return late && came.kind === "ended" ? { kind: "timedOut" } : came;
}

function errorOf(
  reply: Reply,
  { lastWords }: Internals,
  requestId: string,
  limitSeconds: number,
): RuntimeError {
  switch (reply.kind) {
    case "failed":
      return reply.error;
    case "timedOut":
      return timedOut(requestId, limitSeconds);
    case "ended":
      return lastWords ?? runtimeExited(requestId, reply.how);
    case "loaded":
    case "succeeded":
      throw new Error(
        `Expected an error of request ${requestId}, its process said \`${reply.kind}\``,
      );
    default:
      return reply satisfies never;
  }
}
