import { join, relative } from "node:path";
import { Command } from "commander";
import { alarmLine } from "./demo/alarm-line.ts";
import { outputTo } from "./demo/console-output.ts";
import { startDemoCloud } from "./demo/demo-cloud.ts";
import { type DemoResult, shortcomings, verdictOf } from "./demo/demo-result.ts";
import { runDemo } from "./demo/demo-run.ts";
import { MINUTE_DIVISOR } from "./demo/demo-settings.ts";
import { failureWitness } from "./demo/failure-witness.ts";
import { FUNCTION_LOG, openFunctionLog } from "./demo/function-log.ts";
import { readEvents } from "./demo/read-events.ts";

type Flags = {
  readonly events: string;
  readonly handler?: string;
  readonly json?: true;
  readonly keep?: true;
};

const GAME = join(import.meta.dirname, "events/game.ndjson");

const flags = new Command("npm start --")
  .description("Runs the whole backlog on this machine: no AWS account, no Docker.")
  .option("--events <file>", "NDJSON file of {key, payload, id?}", GAME)
  .option("--handler <file>", "your own handler instead of the wallet")
  .option("--json", "print one JSON object as the last line of stdout")
  .option("--keep", "leave it running, and print how to talk to it")
  .parse()
  .opts<Flags>();

// With --json, stdout belongs to the result.
const output = outputTo(flags.json ? process.stderr : process.stdout);
const startedMs = Date.now();
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
}

process.exitCode = await run(flags).catch((error: unknown) => {
  // What fails because of a signal fails in many ways, and the signal is the cause.
  const cause: unknown = stop.signal.aborted ? stop.signal.reason : error;
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  return 1;
});

async function run({ events: path, handler, json, keep }: Flags): Promise<number> {
  const events = readEvents(path);
  const ownHandler = handler !== undefined;
  const witness = failureWitness(ownHandler);
  const log = openFunctionLog();
  output.line("synthesizing the stack and creating it on this machine");
  output.line(
    `CloudWatch's periods are divided by ${MINUTE_DIVISOR}; all other times are settings`,
  );
  output.line(`the functions log to ${relative(process.cwd(), FUNCTION_LOG)}`);
  try {
    const cloud = await startDemoCloud({
      handler,
      onLine(line): void {
        log.write(line);
        witness.read(line.text);
      },
      onStateChange(change): void {
        const line = alarmLine(change);
        if (line !== undefined) output.line(line);
      },
      signal: stop.signal,
    });
    try {
      const failedOrKilled = witness.ids;
      const { signal } = stop;
      const result = await runDemo({ cloud, events, ownHandler, failedOrKilled, output, signal });
      const short = shortcomings(result, path === GAME && !ownHandler);
      say(result, short);
      const seconds = Math.round((Date.now() - startedMs) / 100) / 10;
      if (json) process.stdout.write(`${JSON.stringify({ ...result, seconds })}\n`);
      if (keep) {
        output.line(`the dashboard, its widget and its buttons: ${await cloud.dashboard()}`);
        await keepRunning(cloud.environment);
      }
      return short.length === 0 ? 0 : 1;
    } finally {
      await cloud.close();
    }
  } finally {
    await log.close();
  }
}

function say(result: DemoResult, short: readonly string[]): void {
  const rows = Object.entries(result).map(([name, value]) => [
    name,
    value === null ? "not measured" : String(value),
  ]);
  output.table(["what", "count"], rows);
  output.line(verdictOf(result, short));
}

async function keepRunning(environment: Readonly<Record<string, string>>): Promise<void> {
  output.line(
    "still running; these variables point the AWS CLI, an SDK or `npx backlogorder` at it:",
  );
  for (const [name, value] of Object.entries(environment)) output.line(`export ${name}=${value}`);
  output.line("Ctrl-C ends it");
  if (stop.signal.aborted) return;
  // The servers keep the process alive; a signal ends the wait.
  await new Promise<void>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
