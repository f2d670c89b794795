import { expect, test } from "vitest";
import { isKept, soak } from "./soak.ts";

test("no promise is broken while every kind of process is killed and started again", async () => {
  const said: string[] = [];
  const seed = Date.now() % 1_000_000;
  const result = await soak({ seconds: 10, seed, say: (text) => said.push(text) });
  const context = `${said.join("\n")}\n${JSON.stringify(result)}`;
  expect(isKept(result), context).toBe(true);
  for (const [kind, times] of Object.entries(result.kills)) {
    expect(times, `kills of ${kind}`).toBeGreaterThan(0);
  }
  expect(result.records).toBeGreaterThan(100);
  expect(result.deadLetters, context).toBeGreaterThan(0);
  expect(result.replays).toBeGreaterThan(0);
}, 240_000);
