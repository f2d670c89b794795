import { BatchWriteItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openKeys, recordKey } from "../../../lambdas/aws/ledger/ledger-keys.ts";
import { startBacklog, TABLE } from "../embedded.ts";
import { MINUTE } from "./letters.ts";

const LETTERS = 10_000;

let backlog: Awaited<ReturnType<typeof startBacklog>>;

beforeAll(async () => {
  backlog = await startBacklog("grants");
  await seed();
}, 60_000);

afterAll(() => backlog.close());

it("groups 10,000 letters with less than 3 s of processor time and 300 MB", async () => {
  const { exitCode, out, cpuSeconds, megabytes } = await measured(["letters", "groups", "grants"]);
  expect(out).toMatch(/^10,000 dead letters$/m);
  expect(out).toMatch(/ 6,000 +1,200 +0, 1 \+62 .* no item <n> in the catalogue of season <n>$/m);
  expect(exitCode).toBe(0);
  expect(cpuSeconds).toBeLessThan(3);
  expect(megabytes).toBeLessThan(300);
}, 30_000);

/** Time of the processor, not of the clock: other tests share it. It is that of the command from its
 *  start and of the embedded services, which take turns, so an idle machine takes no longer. */
async function measured(words: readonly string[]) {
  const before = process.cpuUsage();
  const { exitCode, out, errors } = await backlog.command(words, {
    NODE_OPTIONS: `--import=${new URL("../../../bench/letters/report-usage.ts", import.meta.url)}`,
  });
  const services = process.cpuUsage(before);
  const usage: { megabytes: number; cpuSeconds: number } = JSON.parse(
    /^usage (.*)$/m.exec(errors)?.[1] ?? "",
  );
  const cpuSeconds = usage.cpuSeconds + (services.user + services.system) / 1e6;
  return { exitCode, out, cpuSeconds, megabytes: usage.megabytes };
}

async function seed() {
  const nowMs = Date.now();
  const items = Array.from({ length: LETTERS }, (_, index) => itemOf(index, nowMs));
  for (let start = 0; start < items.length; start += 25) {
    const puts = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await backlog.dynamoDbClient.send(
      new BatchWriteItemCommand({ RequestItems: { [TABLE]: puts } }),
    );
  }
}

function itemOf(index: number, nowMs: number) {
  const partition = index % 64;
  const id = `0198c2f4-7d1e-7c55-9b1f-${String(index).padStart(12, "0")}`;
  const offset = String(10n ** 19n + BigInt(index));
  const reason =
    index % 5 < 3
      ? `no item ${index} in the catalogue of season 12`
      : `wallet of "player:${index % 2000}" is locked since 2026-01-31T03:00:00Z`;
  return {
    ...recordKey(id),
    ...openKeys(partition, offset),
    id: { S: id },
    key: { S: `player:${index % 2000}` },
    state: { S: "dead" },
    partition: { N: String(partition) },
    offset: { S: offset },
    generation: { N: "0" },
    attempts: { N: "3" },
    messageId: { S: id },
    reason: { S: reason },
    enqueuedAt: { N: String(nowMs - 60 * MINUTE) },
    failedAt: { N: String(nowMs - index * 100) },
    expiresAt: { N: String(Math.ceil(nowMs / 1000) + 2_764_800) },
  };
}
