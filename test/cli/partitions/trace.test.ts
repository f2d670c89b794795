import { describe, expect, it } from "vitest";
import { DAY, deadItem, MINUTE, NOW } from "../letters/letters.ts";
import { run } from "../stage.ts";
import { actItem, setPartition } from "./partition-stage.ts";

const ACT = actItem(
  "019c11d5-5200-7000-8000-000000000001",
  Date.parse("2026-01-31T02:15:18.784Z"),
  {
    id: "a",
    outcome: "failed",
    oldReason: "no item 4",
    newReason: "no funds",
  },
);

function trace(...words: readonly string[]) {
  return run("trace", "a", "--name", "grants", ...words);
}

describe("trace", () => {
  it("tells a dead letter with its history, and leads to the plan of its replay", async () => {
    const enqueuedAtMs = NOW - 140 * MINUTE;
    setPartition({ acts: [ACT], record: deadItem({ enqueuedAtMs, generation: 1, attempts: 1 }) });
    const { exitCode, out } = await trace();
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Record a is a dead letter\n/);
    expect(out).toMatch(/attempts +1 of 1, replay 1/);
    expect(out).toMatch(/expires +2026-02-14T02:55:00Z \(in 13d23h\)/);
    expect(out).toMatch(/replay: failed \(no item 4 -> no funds\), by jo: mended/);
    expect(out).toMatch(/Next: npx backlogorder replay plan grants --id a$/);
  });

  it("tells a record that is being retried, and leads to who is behind it", async () => {
    setPartition({ record: deadItem({ state: "retrying", attempts: 2 }) });
    const { out } = await trace();
    expect(out).toMatch(/^Record a is in the source queue, being retried\n/);
    expect(out).toMatch(/attempts +2 of 3, not replayed/);
    expect(out).toMatch(/next try +unknown/);
    expect(out).toContain("Acts: none of the newest 20 names it");
    expect(out).toMatch(/Next: npx backlogorder explain grants --key player:1$/);
  });

  it("tells when a record with an item was applied", async () => {
    setPartition({ record: { ...deadItem({ state: "applied" }), appliedAtMs: NOW - MINUTE } });
    expect((await trace()).out).toMatch(/was applied\n +applied +2026-01-31T02:59:00Z \(1m ago\)/);
  });

  it("finds a plain success in the batch entries once the key is given", async () => {
    setPartition({ entries: [{ ids: ["z", "a"], keys: ["player:1"], agoMs: 3 * MINUTE }] });
    expect((await trace()).out).toMatch(
      /^Record a is not known to the ledger\n.*with `--key`.*\n(?:.*\n)*Next: .* --key '<its key>'$/,
    );
    const { out } = await trace("--key", "player:1");
    expect(out).toMatch(/^Record a was applied\n +applied +2026-01-31T02:57:00Z \(3m ago\)/);
    expect(out).toContain("at its first receive");
  });

  it("says what it may mean that the ledger does not know it", async () => {
    setPartition({});
    const { exitCode, out } = await trace("--key", "player:1");
    expect(exitCode).toBe(0);
    expect(out).toContain("all batch entries that could name it");
    expect(out).toContain("waits and never failed, or was never published");
  });

  it("does not search entries from before a UUIDv7 was made", async () => {
    const id = "019c11d5-5200-7000-8000-000000000009";
    const old = Array.from({ length: 10_001 }, () => ({ ids: ["z"], keys: ["k"], agoMs: DAY }));
    setPartition({ entries: old });
    const { out } = await run("trace", id, "--name", "grants", "--key", "k", "--json");
    expect(JSON.parse(out)).toMatchObject({ state: "unknown", searched: "all" });
    const other = await run("trace", "plain", "--name", "grants", "--key", "k", "--json");
    expect(JSON.parse(other.out)).toMatchObject({ state: "unknown", searched: "newest" });
  });

  it("answers in JSON", async () => {
    setPartition({ acts: [ACT], record: deadItem({ enqueuedAtMs: NOW - 140 * MINUTE }) });
    expect(JSON.parse((await trace("--json")).out)).toMatchObject({
      kind: "trace",
      id: "a",
      state: "dead",
      source: "item",
      appliedAt: null,
      partition: 1,
      record: { key: "player:1", attempts: 3, maxAttempts: 3, reason: "no funds", nextTry: null },
      acts: [{ operation: "replay", outcome: "failed", newReason: "no funds" }],
    });
  });

  it("tells a letter that SQS has deleted", async () => {
    setPartition({ record: deadItem({ failedAtMs: NOW - 15 * DAY }) });
    expect((await trace()).out).toMatch(/^Record a is dead, and SQS has deleted its letter\n/);
  });
});
