import { describe, expect, it } from "vitest";
import { keyHash, partitionOf } from "../../../lambdas/core/partition.ts";
import { deadItem, MINUTE } from "../letters/letters.ts";
import { run } from "../stage.ts";
import { setPartition } from "./partition-stage.ts";

const KEY = "player:1";
const PARTITION = partitionOf(KEY, 64);

const HEAD = deadItem({
  id: "head",
  state: "retrying",
  key: "player:other",
  partition: PARTITION,
  attempts: 1,
});

describe("explain", () => {
  it("tells where a key goes, who blocks it, its letters, and what went last", async () => {
    setPartition({
      waiting: 3,
      held: 2,
      open: [HEAD, deadItem({ id: "mine", key: KEY }), deadItem({ id: "not mine", key: "x" })],
      entries: [
        { ids: ["r2"], keys: ["player:3"], agoMs: MINUTE },
        { ids: ["r1"], keys: [KEY], agoMs: 9 * MINUTE },
      ],
    });
    const { exitCode, out } = await run("explain", "grants", "--key", KEY);
    expect(exitCode).toBe(0);
    expect(out).toContain(`Key player:1 is in partition ${PARTITION} of 64`);
    expect(out).toContain(`0x${keyHash(KEY).toString(16).padStart(8, "0")} (FNV-1a 32)`);
    expect(out).toMatch(/blocked +yes, by head of key player:other, attempts 1 of 3, /);
    expect(out).toMatch(/letters +1 of this key, 1 of other keys/);
    expect(out).toMatch(/partition went +2026-01-31T02:59:00Z \(1m ago\), last/);
    expect(out).toMatch(/key went +2026-01-31T02:51:00Z \(9m ago\), by its hash, which another/);
    expect(out).toMatch(/Not known: records that wait and never failed/);
    expect(out).toMatch(/Next: npx backlogorder letters list grants --key player:1$/);
  });

  it.each([
    {
      entries: [],
      text: /partition went +not known: the partition has no batch entry\n +key went +not known: the/,
    },
    {
      entries: [{ ids: ["r"], keys: ["x"], agoMs: MINUTE }],
      text: /key went +not in any batch entry of the partition/,
    },
    {
      entries: Array.from({ length: 10_001 }, () => ({ ids: ["r"], keys: ["x"], agoMs: MINUTE })),
      text: /key went +not in the newest 10,000 batch entries/,
    },
  ])("says how far it looked for the key: $text", async ({ entries, text }) => {
    setPartition({ waiting: 1, entries });
    expect((await run("explain", "grants", "--key", KEY)).out).toMatch(text);
  });

  it("answers in JSON", async () => {
    setPartition({ waiting: 1, open: [HEAD] });
    const { out } = await run("explain", "grants", "--key", KEY, "--json");
    expect(JSON.parse(out)).toMatchObject({
      kind: "explain",
      key: KEY,
      partition: PARTITION,
      blocked: true,
      head: { id: "head", ageMs: 10 * MINUTE, nextTry: { kind: "unknown" } },
      waitingInAll: 1,
      letters: [],
      lastApplied: { inPartition: null, ofKeyHash: null, searchedAll: true },
    });
  });

  it("refuses the empty key, which has a partition and is never published", async () => {
    setPartition({});
    const { exitCode, errors } = await run("explain", "grants", "--key", "");
    expect(errors).toMatch(/^Cannot tell \(bad-key\)/);
    expect(exitCode).toBe(3);
  });

  it("blocks nobody with what the ledger still lists of an empty queue", async () => {
    setPartition({ waiting: 0, open: [HEAD] });
    expect((await run("explain", "grants", "--key", KEY)).out).toMatch(
      /blocked +no, the source queue is empty/,
    );
  });
});
