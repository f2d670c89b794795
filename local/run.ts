import { join } from "node:path";
import { Command } from "commander";
import { outputTo } from "./demo/console-output.ts";
import { startDemoCloud } from "./demo/demo-cloud.ts";
import { isKept, runDemo } from "./demo/demo-run.ts";
import { failureWitness } from "./demo/failure-witness.ts";
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
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});

async function run({ events: path, handler, json, keep }: Flags): Promise<number> {
  const events = readEvents(path);
  const witness = failureWitness(handler !== undefined);
  output.line("synthesizing the stack and creating it on this machine");
  const cloud = await startDemoCloud({
    handler,
    onLine: witness.read,
    onAlarm: (alarm, state) => output.line(`alarm ${alarm}: ${state}`),
  });
  try {
    stop.signal.throwIfAborted();
    const result = await runDemo({
      cloud,
      events,
      ownHandler: handler !== undefined,
      failedOrKilled: witness.ids,
      output,
      signal: stop.signal,
    });
    const seconds = Math.round((Date.now() - startedMs) / 100) / 10;
    const kept = isKept(result);
    output.line(kept ? "every promise was kept" : "a promise was broken");
    output.table(
      ["what", "count"],
      Object.entries(result).map(([name, value]) => [name, String(value)]),
    );
    if (keep) await keepRunning(cloud.environment);
    if (json) process.stdout.write(`${JSON.stringify({ ...result, seconds })}\n`);
    return kept ? 0 : 1;
  } finally {
    await cloud.close();
  }
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
