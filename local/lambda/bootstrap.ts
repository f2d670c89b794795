import { Worker } from "node:worker_threads";
import { type EnvironmentMessage, type Invoke, outputEnd } from "./environment-protocol.ts";
import { invocationContext } from "./invocation-context.ts";
import { type Handler, loadHandler } from "./load-handler.ts";
import { runtimeErrorOf } from "./runtime-error.ts";

// The entry of an execution environment's process. `argv[2]` is the handler, such as
// `index.handler`, and the working directory the function's code.

// Lambda answers 6 MB at most. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const PAYLOAD_BYTES_MAX = 6_291_556;
const EXIT_UNCAUGHT = 129;

// Ctrl-C in a terminal reaches the whole process group; the parent lets a running invocation end.
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit());
process.on("uncaughtException", (thrown) => {
  console.error("Uncaught Exception", thrown);
  endWith({ kind: "crashed", error: runtimeErrorOf(thrown) }, EXIT_UNCAUGHT);
});
new Worker(new URL("./parent-watch.ts", import.meta.url), {
  workerData: process.ppid,
  resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
}).unref();

try {
  const handler = await loadHandler(process.cwd(), process.argv[2] ?? "");
  process.on("message", (message) => {
    void answer(handler, message as Invoke);
  });
  tell({ kind: "ready" });
} catch (thrown) {
  console.error(thrown);
  endWith({ kind: "initFailed", error: runtimeErrorOf(thrown) }, 1);
}

async function answer(handler: Handler, invoke: Invoke): Promise<void> {
  const { requestId } = invoke;
  try {
    const payload = payloadOf(await handler(JSON.parse(invoke.event), invocationContext(invoke)));
    endOutput(requestId);
    tell({ kind: "succeeded", requestId, payload });
  } catch (thrown) {
    console.error("Invoke Error", thrown);
    endOutput(requestId);
    tell({ kind: "failed", requestId, error: runtimeErrorOf(thrown) });
  }
}

function payloadOf(result: unknown): string {
  const payload = JSON.stringify(result) ?? "null";
  const bytes = Buffer.byteLength(payload);
  if (bytes > PAYLOAD_BYTES_MAX) {
    const error = new Error(
      `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${PAYLOAD_BYTES_MAX} bytes).`,
    );
    error.name = "Function.ResponseSizeTooLarge";
    throw error;
  }
  return payload;
}

function endOutput(requestId: string): void {
  for (const stream of [process.stdout, process.stderr]) stream.write(`${outputEnd(requestId)}\n`);
}

function tell(message: EnvironmentMessage): void {
  process.send?.(message);
}

function endWith(message: EnvironmentMessage, exitCode: number): void {
  process.send?.(message, () => process.exit(exitCode));
}
