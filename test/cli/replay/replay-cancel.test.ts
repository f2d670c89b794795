import { QueryCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { MINUTE, NOW } from "../letters/letters.ts";
import { dynamoDb, run } from "../stage.ts";
import { setLease, setReplay, WHO } from "./replay-stage.ts";

/** An act as the ledger keeps it. */
function storedAct(given: { readonly actId: string; readonly operation: string }) {
  return {
    actId: { S: given.actId },
    operation: { S: given.operation },
    who: { S: WHO },
    why: { S: "prices are back" },
    startedAtMs: { N: String(NOW - 30 * MINUTE) },
    endsByMs: { N: String(NOW - 15 * MINUTE) },
    state: { S: "running" },
    counts: { S: JSON.stringify({ replayed: 3, skipped: 0, failed: 1 }) },
  };
}

describe("replay status", () => {
  it("says who replays, since when, and when nobody does any more", async () => {
    known({ who: WHO });
    const { exitCode, out } = await run("replay", "status", "grants");
    expect(exitCode).toBe(0);
    expect(out).toContain(`Run run-1 by ${WHO} since 2026-01-31T02:58:00Z (2m ago).`);
    expect(out).toContain("lease ends at 9999-01-01T00:00:00Z at the latest");
    expect(out).toContain("Next: npx backlogorder replay cancel grants run-1");
  });

  it("tells a run that was cancelled and has not ended", async () => {
    setReplay({});
    setLease({ who: WHO, cancelled: true });
    const { out } = await run("replay", "status", "grants");
    expect(out).toContain("It was cancelled: it sends no further letter");
    const status = await run("status", "grants");
    expect(status.out).toContain(
      "since 2m ago, cancelled and coming to its end, its lease ends in",
    );
    const { out: json } = await run("replay", "status", "grants", "--json");
    expect(JSON.parse(json).running).toEqual({
      runId: "run-1",
      who: WHO,
      since: "2026-01-31T02:58:00.000Z",
      leaseEnds: "9999-01-01T00:00:00.000Z",
      cancelled: true,
    });
  });

  it("answers in JSON with null where nothing is being replayed", async () => {
    known(undefined);
    const { out } = await run("replay", "status", "grants", "--json");
    expect(JSON.parse(out)).toMatchObject({ kind: "replay-status", running: null, runs: [] });
    expect((await run("replay", "status", "grants")).out).toContain("Nothing is being replayed.");
  });
});

describe("the last runs in replay status", () => {
  const acts = [
    storedAct({ actId: "pause-1", operation: "pause" }),
    storedAct({ actId: "run-0", operation: "replay" }),
  ];

  it("are shown with what happened, by whom and why, other acts left out", async () => {
    known(undefined, acts);
    const { out } = await run("replay", "status", "grants");
    expect(out).toMatch(/ run-0 +30m ago +interrupted +3 replayed, 1 failed +arn\S+ +prices are/);
    expect(out).not.toContain("pause-1");
  });

  it("are in the JSON answer", async () => {
    known(undefined, acts);
    const { out } = await run("replay", "status", "grants", "--json");
    expect(JSON.parse(out).runs).toEqual([
      {
        runId: "run-0",
        state: "interrupted",
        who: WHO,
        why: "prices are back",
        ticket: null,
        started: "2026-01-31T02:30:00.000Z",
        ended: null,
        counts: { replayed: 3, skipped: 0, failed: 1 },
        error: null,
      },
    ]);
  });
});

function known(lease: { readonly who: string } | undefined, acts: readonly object[] = []) {
  setReplay({});
  setLease(lease);
  dynamoDb.on(QueryCommand).resolves({ Items: acts as never });
}

describe("replay cancel", () => {
  it("cancels the run that has the lease where none is named", async () => {
    const requests = setReplay({ cancel: { runId: "run-1", cancelled: true } });
    setLease({ who: WHO });
    const { exitCode, out } = await run("replay", "cancel", "grants");
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Run run-1 sends no further letter/);
    expect(requests.at(-1)).toEqual({ operation: "cancel", requestedBy: WHO, runId: "run-1" });
  });

  it("ends with 1 where there is no such run, or none at all", async () => {
    setReplay({ cancel: { runId: "x", cancelled: false } });
    setLease(undefined);
    const named = await run("replay", "cancel", "grants", "x");
    expect(named.exitCode).toBe(1);
    expect(named.out).toMatch(/^Run x is not under way any more/);
    const json = await run("replay", "cancel", "grants", "--json");
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ runId: null, cancelled: false });
  });
});
