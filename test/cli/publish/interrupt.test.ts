import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { COMMAND, startBacklog } from "../embedded.ts";

let backlog: Awaited<ReturnType<typeof startBacklog>>;

beforeAll(async () => {
  backlog = await startBacklog("grants");
}, 30_000);

afterAll(() => backlog.close());

it("ends at Ctrl-C though its pipe stays open, and goes on from the line that it names", {
  timeout: 60_000,
}, async () => {
  const child = spawn(process.execPath, [COMMAND, "publish", "grants", "--json"], {
    env: backlog.environment,
    timeout: 50_000,
    killSignal: "SIGKILL",
  });
  const out = text(child.stdout);
  const line = (n: number) => `${JSON.stringify({ key: "k", payload: `${n}` })}\n`;
  const lines = Array.from({ length: 1500 }, (_, n) => line(n));
  child.stdin.write(`${lines.join("")}${line(1500).slice(0, 7)}`);
  await vi.waitUntil(async () => (await backlog.waiting()) >= 1000, { timeout: 30_000 });
  child.kill("SIGINT");
  const [exitCode] = await once(child, "exit");
  const answer = JSON.parse(await out);
  expect(exitCode).toBe(3);
  expect(answer).toMatchObject({ refused: 0, interrupted: true, nextLine: answer.lines + 1 });
  expect(answer.published).toBe(answer.lines);
  expect(await backlog.waiting()).toBe(answer.published);
});
