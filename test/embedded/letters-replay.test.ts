import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type DeployedBacklog, deployBacklog } from "../../bench/letters/deployed-backlog.ts";
import { entriesBeside, manyLetters } from "../../bench/letters/many-letters.ts";
import { costsOf, requestsBetween } from "../../bench/letters/replay-costs.ts";
import { runCommand } from "../../bench/letters/run-command.ts";
import { type SeededLetter, seedEntries, seedLetters } from "../../bench/letters/seed-letters.ts";
import { REPLAY_LOCK } from "../../lambdas/aws/ledger/ledger-keys.ts";

const PARTITIONS = 16;
const PER_CALL = 400;

let backlog: DeployedBacklog;
let folder: string;
/** Ids in the order in which the handler took them. */
const applied: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "letters-replay-"));
  backlog = await deployBacklog({
    settings: {
      name: "ops",
      partitions: PARTITIONS,
      replayLimit: PER_CALL,
      replayRatePerSecond: 300,
      consumerTimeoutSeconds: 20,
    },
    handler: "test/embedded/letters-handler.ts",
    onLine(text) {
      if (text.startsWith('{"applied":')) applied.push(JSON.parse(text).applied);
    },
  });
}, 60_000);

afterAll(async () => {
  await backlog.close();
  rmSync(folder, { recursive: true });
}, 30_000);

/** The answer of a command in JSON, and its exit code. */
async function command(...words: readonly string[]) {
  const ended = await runCommand([...words, "--json"], backlog.cloud.environment);
  return { exitCode: ended.exitCode, answer: JSON.parse(ended.out || "null") };
}

const replayRun = (...words: readonly string[]) =>
  command("replay", "run", "ops", "--why", "mended", ...words);

const replayAll = (...words: readonly string[]) => replayRun("--all", "--yes", ...words);

async function listed(): Promise<readonly string[]> {
  const { answer } = await command("letters", "list", "ops");
  return answer.list.map(({ id }: { id: string }) => id).toSorted();
}

/** Letters of as many keys, all of the same fault. */
function lettersOf(name: string, count: number, given: Partial<SeededLetter> = {}) {
  const nowMs = Date.now();
  return Array.from({ length: count }, (_, n) => ({
    id: `${name}-${n}`,
    key: `${name}:${n}`,
    offset: 10n ** 20n + BigInt(n),
    reason: `no ${name}`,
    failedAtMs: nowMs - 60_000,
    ...given,
  }));
}

describe("the command and the replay function of a whole stack", { timeout: 30_000 }, () => {
  it("plays 640 letters back in calls of 400, for at most 0.6 requests to SQS and 0.4 to the ledger", async () => {
    const letters = manyLetters(640, Date.now());
    await seedLetters(backlog, letters);
    await seedEntries(backlog, entriesBeside(letters, 320, PARTITIONS));
    const before = backlog.requests();
    const { exitCode, answer } = await replayAll("--overtaken");
    expect(answer).toMatchObject({ outcome: "done", planned: 640, replayed: 640, errors: [] });
    expect(exitCode).toBe(0);
    expect(answer.runIds).toHaveLength(Math.ceil(640 / PER_CALL));
    expect(new Set(applied).size).toBe(640);
    expect(applied).toHaveLength(640);
    const costs = costsOf(requestsBetween(before, backlog.requests()), 640);
    expect(costs.sqs).toBeGreaterThan(0);
    expect(costs.sqs).toBeLessThanOrEqual(0.6);
    expect(costs.ledger).toBeGreaterThan(0);
    expect(costs.ledger).toBeLessThanOrEqual(0.4);
  });

  it("refuses a plan of letters that have changed, and one of another stack", async () => {
    const path = join(folder, "plan.json");
    const plan = () => command("replay", "plan", "ops", "--all", "--out", path);
    await seedLetters(backlog, lettersOf("changed", 2));
    expect((await plan()).answer.counts.ready).toBe(2);
    await seedLetters(backlog, lettersOf("late", 1));
    const changed = await replayRun("--plan", path);
    expect(changed).toMatchObject({ exitCode: 2, answer: { error: { code: "plan-changed" } } });
    expect(changed.answer.error.message).toContain("now 3 are ready");
    await plan();
    const kept = readFileSync(path, "utf8");
    writeFileSync(path, JSON.stringify({ ...JSON.parse(kept), ledger: "ledger-of-another" }));
    const other = await replayRun("--plan", path);
    expect(other).toMatchObject({ exitCode: 2, answer: { error: { code: "other-plan" } } });
    expect(await listed()).toEqual(["changed-0", "changed-1", "late-0"]);
    writeFileSync(path, kept);
    const run = await replayRun("--plan", path);
    expect(run).toMatchObject({ exitCode: 0, answer: { outcome: "done", replayed: 3 } });
  });

  it("goes up a ramp, stops at as many failures as it may have, and plays the rest once mended", async () => {
    const brokenWhile = join(folder, "broken");
    writeFileSync(brokenWhile, "");
    await seedLetters(
      backlog,
      lettersOf("phoenix", 10, { payload: JSON.stringify({ brokenWhile }) }),
    );
    const run = await replayAll("--ramp", "1,2,20", "--stop-after-failures", "3");
    expect(run).toMatchObject({
      exitCode: 2,
      answer: {
        outcome: "stopped",
        planned: 10,
        replayed: 0,
        failed: 3,
        failures: [{ oldReason: "no phoenix", newReason: "the catalogue is down", count: 3 }],
        stopped: { failures: 3 },
      },
    });
    const again = await replayAll("--ramp", "1,20");
    expect(again).toMatchObject({ exitCode: 2, answer: { outcome: "stopped", failed: 1 } });
    expect(await listed()).toHaveLength(10);
    rmSync(brokenWhile);
    const mended = await replayAll("--ramp", "1,2");
    expect(mended).toMatchObject({ exitCode: 0, answer: { outcome: "done", replayed: 10 } });
  });

  it("leaves overtaken and held letters and says so, and plays them when that is asked", async () => {
    const [first, second] = lettersOf("gold", 2, { key: "player:gold", reason: "no gold" });
    const ready = lettersOf("ready", 1, { reason: "no gold" });
    await seedLetters(
      backlog,
      [first, second, ...ready].filter((one) => one !== undefined),
    );
    await seedEntries(backlog, [
      { ids: ["later"], keys: ["player:gold"], offset: 10n ** 21n, appliedAtMs: Date.now() },
    ]);
    const held = await replayRun("--id", "gold-1", "--overtaken", "--yes");
    expect(held).toMatchObject({ exitCode: 1, answer: { replayed: 0, left: { held: 1 } } });
    const run = await replayRun("--reason", "no gold", "--yes");
    expect(run).toMatchObject({
      exitCode: 1,
      answer: { outcome: "unfinished", replayed: 1, left: { overtaken: 2, held: 0 } },
    });
    expect(run.answer.next).toContain("--reason 'no gold' --overtaken");
    expect(await listed()).toEqual(["gold-0", "gold-1"]);
    const overtaken = await replayRun("--reason", "no gold", "--overtaken", "--yes");
    expect(overtaken).toMatchObject({ exitCode: 0, answer: { outcome: "done", replayed: 2 } });
    expect(applied.slice(-2)).toEqual(["gold-0", "gold-1"]);
  });

  it("cancels a run that is under way, which says what it did", async () => {
    await seedLetters(backlog, lettersOf("slow", 40));
    const run = replayAll("--rate", "5");
    await vi.waitUntil(() => applied.at(-1)?.startsWith("slow"), { timeout: 15_000 });
    const cancel = await command("replay", "cancel", "ops");
    expect(cancel).toMatchObject({ exitCode: 0, answer: { cancelled: true } });
    const { exitCode, answer } = await run;
    expect(answer).toMatchObject({ outcome: "cancelled", planned: 40, failed: 0, pending: 0 });
    expect(exitCode).toBe(2);
    expect(answer.replayed).toBeGreaterThan(0);
    expect(await listed()).toHaveLength(40 - answer.replayed);
    const { answer: status } = await command("replay", "status", "ops");
    expect(status.running).toBeNull();
    expect(status.runs[0]).toMatchObject({ state: "cancelled", why: "mended" });
    expect(await replayAll()).toMatchObject({ answer: { replayed: 40 - answer.replayed } });
  });

  it("reports a run whose function died, keeps others out, and never repeats it", async () => {
    await seedLetters(backlog, lettersOf("dying", 40));
    const run = replayAll("--rate", "5");
    await vi.waitUntil(() => applied.at(-1)?.startsWith("dying"), { timeout: 15_000 });
    const replays = backlog.cloud.lambda
      .environments()
      .filter(({ functionName, busy }) => busy && /Replay/.test(functionName));
    expect(replays).toHaveLength(1);
    for (const { pid } of replays) process.kill(pid, "SIGKILL");
    expect(await run).toMatchObject({
      exitCode: 3,
      answer: {
        error: { code: "function-failed", remedy: expect.stringMatching(/replay status/) },
      },
    });
    const status = await command("replay", "status", "ops");
    const { running, runs } = status.answer;
    expect(running).toMatchObject({ cancelled: false });
    expect(runs[0]).toMatchObject({ runId: running.runId, state: "running", why: "mended" });
    const second = await replayAll();
    expect(second).toMatchObject({ exitCode: 2, answer: { error: { code: "replay-running" } } });
    await endLease();
    expect((await command("replay", "status", "ops")).answer.running).toBeNull();
    expect(new Set(applied).size).toBe(applied.length);
  });
});

/** As if its time were over. */
async function endLease() {
  await backlog.dynamoDb.send(
    new UpdateItemCommand({
      TableName: backlog.ledgerTable,
      Key: REPLAY_LOCK,
      UpdateExpression: "SET leaseExpiresAt = :past",
      ExpressionAttributeValues: { ":past": { N: "1" } },
    }),
  );
}
