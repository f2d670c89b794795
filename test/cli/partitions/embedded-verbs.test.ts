import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DynamoLedger } from "../../../lambdas/aws/ledger/ledger.ts";
import { partitionOf } from "../../../lambdas/core/partition.ts";
import { startBacklog, TABLE } from "../embedded.ts";
import { DAY, MINUTE } from "../letters/letters.ts";

const KEY = "player:1";
const PARTITION = partitionOf(KEY, 64);

let backlog: Awaited<ReturnType<typeof startBacklog>>;

beforeAll(async () => {
  backlog = await startBacklog("grants");
  await fill();
}, 30_000);

afterAll(() => backlog.close());

/** In one partition: a record that was applied at once, a letter, and a head with one attempt. */
async function fill() {
  const nowMs = Date.now();
  const ledger = new DynamoLedger({
    client: backlog.dynamoDbClient,
    table: TABLE,
    nowMs: () => nowMs,
    memorySeconds: (32 * DAY) / 1000,
  });
  const recordOf = (id: string, offset: string) => ({
    id,
    key: KEY,
    partition: PARTITION,
    offset,
    enqueuedAtMs: nowMs - 5 * MINUTE,
    generation: 0,
  });
  const failure = { reason: "wallet is locked", failedAtMs: nowMs };
  await Promise.all([
    backlog.send("source", String(PARTITION), "head"),
    backlog.send("letters", "dead", "dead"),
    ledger.addEntry(PARTITION, [recordOf("done", "1")]),
    ledger.markDead(recordOf("dead", "2"), { ...failure, attempts: 3, messageId: "m-2" }),
    ledger.count(recordOf("head", "3"), { attempts: 1, attemptId: "x", messageId: "m-3" }, failure),
  ]);
}

/** Port 9 is `discard`: there is no Lambda here, and what only looks does without. */
function command(...words: readonly string[]) {
  return backlog.command(words, { AWS_ENDPOINT_URL_LAMBDA: "http://127.0.0.1:9" });
}

describe("the verbs on keys, records and letters, against the embedded services", {
  timeout: 60_000,
}, () => {
  it("finds the blocked partition", async () => {
    const { exitCode, out, errors } = await command("partitions", "grants");
    expect(errors).toBe("");
    expect(out).toMatch(/^1 of 64 partitions blocked, 1 with dead letters\n/);
    expect(out).toMatch(new RegExp(` ${PARTITION} +1 +1 +5m\\S* +1 of 3 +head +player:1 `));
    expect(exitCode).toBe(0);
  });

  it("explains the key", async () => {
    const { out } = await command("explain", "grants", "--key", KEY, "--json");
    expect(JSON.parse(out)).toMatchObject({
      partition: PARTITION,
      head: { id: "head" },
      letters: [{ id: "dead" }],
      lastApplied: { inPartition: expect.any(String), ofKeyHash: expect.any(String) },
    });
  });

  it.each([
    { words: ["dead"], state: "dead", source: "item" },
    { words: ["head"], state: "retrying", source: "item" },
    { words: ["done", "--key", KEY], state: "applied", source: "entry" },
    { words: ["nobody", "--key", KEY], state: "unknown", source: "none" },
  ])("traces $words", async ({ words, ...traced }) => {
    const { exitCode, out } = await command("trace", ...words, "--name", "grants", "--json");
    expect(JSON.parse(out)).toMatchObject(traced);
    expect(exitCode).toBe(0);
  });

  it("lists whose the letters are, and exports them", async () => {
    const csv = await command("letters", "affected", "grants", "--format", "csv");
    expect(csv.out).toMatch(/^key,letters,.*\nplayer:1,1,.*\n$/);
    const exported = await command("letters", "export", "grants");
    expect(JSON.parse(exported.out)).toMatchObject({ id: "dead", key: KEY, messageId: "m-2" });
  });

  it("publishes a file, and says what it refused", async () => {
    const folder = mkdtempSync(join(tmpdir(), "publish-"));
    const file = join(folder, "events.ndjson");
    const lines = Array.from({ length: 1500 }, (_, n) => ({ key: `k:${n % 9}`, payload: { n } }));
    writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\nno event\n`);
    const { exitCode, out, errors } = await command("publish", "grants", file);
    rmSync(folder, { recursive: true });
    expect(errors).toBe("");
    expect(out).toMatch(/^1,500 records published, of 1,501 lines\n/);
    expect(out).toContain("line 1501: expected one JSON object on the line");
    expect(exitCode).toBe(1);
    expect((await command("status", "grants")).out).toMatch(/^Waiting: 1,501 records/m);
  });
});
