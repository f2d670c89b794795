import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ACCESS } from "./access.ts";

/** A ministack of its own process group, reachable on loopback alone. */
export type Ministack = { readonly url: string; close(): Promise<void> };

const HOST = "127.0.0.1";
const START_SECONDS_MAX = 60;
const END_SECONDS_MAX = 5;

/**
 * Starts the ministack of a virtual environment. Its own command listens on every interface, so it is
 * served by hypercorn, which is told the address.
 * @param scratch folder for its files and its log.
 * @throws where it does not answer within a minute; its log says why.
 */
export async function startMinistack(
  virtualEnvironment: string,
  scratch: string,
): Promise<Ministack> {
  const port = await freePort();
  const url = `http://${HOST}:${port}`;
  mkdirSync(scratch, { recursive: true });
  const log = openSync(join(scratch, "ministack.log"), "w");
  const server = spawn(
    join(virtualEnvironment, "bin", "hypercorn"),
    ["ministack.app:app", "--bind", `${HOST}:${port}`],
    { cwd: scratch, env: environment(port, scratch), stdio: ["ignore", log, log], detached: true },
  );
  const exited = once(server, "exit").catch(() => undefined);
  const close = async () => {
    // Its functions are processes of the same group.
    endGroup(server.pid, "SIGTERM");
    await Promise.race([exited, delay(END_SECONDS_MAX * 1000, undefined, { ref: false })]);
    endGroup(server.pid, "SIGKILL");
  };
  try {
    await untilHealthy(url, exited);
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function environment(port: number, scratch: string): Record<string, string> {
  return {
    // Its functions run on this very Node.
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: scratch,
    TMPDIR: scratch,
    STATE_DIR: join(scratch, "state"),
    S3_DATA_DIR: join(scratch, "s3"),
    // Where a custom resource sends its answer, and functions find the services.
    GATEWAY_PORT: String(port),
    MINISTACK_HOST: HOST,
    AWS_REGION: ACCESS.region,
    AWS_DEFAULT_REGION: ACCESS.region,
    AWS_ACCESS_KEY_ID: ACCESS.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: ACCESS.credentials.secretAccessKey,
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, HOST);
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (typeof address !== "object" || address === null) throw new Error("Expected a port, got none");
  return address.port;
}

async function untilHealthy(url: string, exited: Promise<unknown>): Promise<void> {
  const endMs = Date.now() + START_SECONDS_MAX * 1000;
  let isGone = false;
  void exited.then(() => {
    isGone = true;
  });
  while (!isGone && Date.now() < endMs) {
    const signal = AbortSignal.timeout(2000);
    const answer = await fetch(`${url}/_ministack/health`, { signal }).catch(() => undefined);
    if (answer?.ok) return;
    await delay(200);
  }
  const found = isGone ? "it ended" : `nothing within ${START_SECONDS_MAX} s`;
  throw new Error(`Expected ministack to answer at ${url}, got: ${found}`);
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
