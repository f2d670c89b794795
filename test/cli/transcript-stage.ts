import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { vi } from "vitest";
import { partitionOf } from "../../lambdas/core/partition.ts";
import { type DemoCloud, startDemoCloud } from "../../local/demo/demo-cloud.ts";
import { stockCatalogue } from "../../local/demo/mend.ts";

/** The demo's stack on this machine, and a shell in which `npx backlogorder` speaks to it. */
export async function startStage() {
  const folder = mkdtempSync(join(tmpdir(), "incident-"));
  const cloud = await startDemoCloud({
    handler: undefined,
    onLine: () => undefined,
    onStateChange: () => undefined,
    signal: new AbortController().signal,
  });
  await stockCatalogue(cloud);
  return {
    cloud,
    /** Runs a line as an operator types it. */
    shell: (line: string) => runLine(line, folder, cloud.environment),
    /** Until the backlog is at this level, or drained. */
    until: (what: "page" | "drained") => waitFor(cloud, what),
    async close() {
      await cloud.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Names of players whose records all go to one partition. */
export function keysOfPartition(partition: number, count: number, { settings }: DemoCloud) {
  const keys: string[] = [];
  for (let n = 1; keys.length < count; n += 1) {
    const key = `player:${n}`;
    if (partitionOf(key, settings.partitions) === partition) keys.push(key);
  }
  return keys;
}

const COMMAND = resolve(import.meta.dirname, "../../cli/backlogorder.ts");

export type Ended = { readonly exitCode: number; readonly out: string; readonly errors: string };

function runLine(line: string, folder: string, environment: Readonly<Record<string, string>>) {
  // The node of this test, as npx would find it in the project.
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const script = line.replaceAll("npx backlogorder", `node ${COMMAND}`);
  return new Promise<Ended>((settle) => {
    const child = execFile(
      "sh",
      ["-c", script],
      { cwd: folder, env: { ...environment, PATH: path }, timeout: 60_000 },
      (_, out, errors) => settle({ exitCode: child.exitCode ?? -1, out, errors }),
    );
  });
}

async function waitFor({ backlog, letters, settings }: DemoCloud, what: "page" | "drained") {
  const pageAgeMs = settings.pageAgeSeconds * 1000;
  await vi.waitUntil(
    async () => {
      const { count, oldestAgeMs, blocked } = await backlog();
      if (what === "drained") return count === 0;
      return oldestAgeMs >= pageAgeMs && blocked.length > 0 && (await letters()).length > 0;
    },
    { timeout: 60_000, interval: 200 },
  );
}
