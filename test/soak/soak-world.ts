import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { EnvironmentStatus } from "../../local/lambda/environment-pool.ts";
import { type MortalProcess, mortalProcess } from "./mortal-process.ts";

/** The backlog on this machine: queues, tables and all else each in a process that can be killed. */
export type SoakWorld = {
  readonly engine: MortalProcess;
  readonly tables: MortalProcess;
  readonly runner: MortalProcess;
  readonly outputs: Readonly<Record<string, string>>;
  /** Addresses of the services; they stay when a process is started again. */
  readonly environment: Readonly<Record<string, string>>;
  /** File in which the handler names the records that it failed or died on. */
  readonly testimony: string;
  /** Execution environments of all functions. @throws while the runner is dead. */
  environments(): Promise<readonly EnvironmentStatus[]>;
  close(): Promise<void>;
};

const ROOT = resolve(import.meta.dirname, "../..");

/** Synthesizes the stack into the folder, starts all processes there and deploys. */
export async function startSoakWorld(folder: string): Promise<SoakWorld> {
  const inside = (name: string): string => join(folder, name);
  mkdirSync(folder, { recursive: true });
  const testimony = inside("testimony.txt");
  writeFileSync(testimony, "");
  const assembly = inside("cdk.out");
  await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, "soak-app.ts"), assembly, testimony],
    { cwd: ROOT },
  );
  const [queuesPort, tablesPort] = [await freePort(), await freePort()].map(String) as [
    string,
    string,
  ];
  const entry = (name: string): URL => new URL(`./${name}-process.ts`, import.meta.url);
  const engine = mortalProcess(entry("engine"), [inside("queues.ndjson"), queuesPort]);
  const tables = mortalProcess(entry("tables"), [inside("tables"), tablesPort]);
  const runner = mortalProcess(entry("runner"), [
    ...[inside("cloud"), assembly, inside("functions.log")],
    ...[queuesPort, tablesPort],
  ]);
  const close = async (): Promise<void> => {
    for (const each of [runner, tables, engine]) await each.kill();
  };
  try {
    await Promise.all([engine.start(), tables.start()]);
    const { outputs, environment } = (await runner.start()) as SoakWorld;
    return {
      ...{ engine, tables, runner, outputs, environment, testimony, close },
      async environments(): Promise<readonly EnvironmentStatus[]> {
        const answer = await runner.ask({ kind: "environments" });
        return (answer as { readonly environments: readonly EnvironmentStatus[] }).environments;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Below the range from which this machine gives ports to outgoing connections: a port that is
 *  free for the moment must not be taken while its process is dead. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const free = await new Promise<boolean>((settle) => {
      server.once("error", () => settle(false));
      server.listen(port, "127.0.0.1", () => settle(true));
    });
    if (!free) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}
