import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { endAll } from "../../local/cloud/end-all.ts";
import { installedVersion, installInto } from "../python/virtual-environment.ts";
import { conformance } from "./conformance.ts";
import { startMinistack } from "./ministack.ts";
import { report } from "./report.ts";

// A second opinion: the same stack and the same rules of SQS, at an emulator that is not ours.

const LOCAL = resolve(import.meta.dirname, "../../.local");
const ENVIRONMENT = join(LOCAL, "ministack");

// What still waits for a server that has gone would keep the process.
process.exit(await run());

async function run(): Promise<number> {
  mkdirSync(LOCAL, { recursive: true });
  const obstacle = installInto(ENVIRONMENT, "ministack");
  const version = installedVersion(ENVIRONMENT, "ministack");
  if (version === undefined) {
    say(`conformance skipped: ${obstacle}`);
    return 0;
  }
  say(`ministack ${version}${obstacle === undefined ? "" : `, as it was installed: ${obstacle}`}`);
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());
  // Not below this package, whose kind of modules ministack's workers would take for theirs.
  const scratch = mkdtempSync(join(tmpdir(), "backlogorder-conformance-"));
  const ends = [async () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })];
  try {
    const ministack = await startMinistack(ENVIRONMENT, scratch);
    ends.unshift(() => ministack.close());
    const target = { endpoint: ministack.url, scratch, signal: stopped.signal };
    const answers = await Promise.race([conformance(target, say), untilStopped(stopped.signal)]);
    return report(answers, say);
  } catch (error) {
    say(`conformance failed: ${error instanceof Error ? error.message : error}`);
    return 1;
  } finally {
    await endAll(ends);
  }
}

async function untilStopped(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  throw new Error("it was stopped");
}

function say(text: string): void {
  console.log(text);
}
