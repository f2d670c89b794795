import { DescribeAlarmsCommand } from "@aws-sdk/client-cloudwatch";
import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { setConsumer as setBacklog } from "../consumer/consumer-stage.ts";
import { deadItem, MINUTE, NOW } from "../letters/letters.ts";
import { cloudWatch, dynamoDb, run } from "../stage.ts";

const HEAD = deadItem({
  id: "head",
  state: "retrying",
  attempts: 2,
  partition: 7,
  key: "guild:\u001b[2J",
  reason: "no funds",
  enqueuedAtMs: NOW - 14 * MINUTE - 2000,
});

describe("status", () => {
  it("pages with cause, heads and letters, and ends with the next command", async () => {
    setBacklog({ waiting: 12, held: 3, open: [HEAD, deadItem({ id: "dead" })] });
    const { exitCode, out, errors } = await run("status", "grants");
    const lines = out.split("\n");
    expect(exitCode).toBe(2);
    expect(errors).toBe("");
    expect(lines[0]).toBe("PAGE oldest 14m02s, partition 7 of 64, page line 10m");
    expect(out).toContain("Waiting: 12 records, bytes unknown, oldest 14m02s");
    expect(out).toMatch(/^ +7 +14m02s +2 of 3 +head +guild:\\u\{1b\}\[2J +unknown +no funds$/m);
    expect(out).toContain("Dead letters: 3, the first expires in 13d23h");
    expect(out).toContain("holds 2 more that the ledger does not list");
    expect(lines.at(-1)).toMatch(/^Next: aws logs tail .*--function-name consumer /);
  });

  it.each([
    { waiting: 3, age: 5, exitCode: 0, first: /^OK 3 records, oldest 5s/, next: /nothing to do/ },
    {
      waiting: 3,
      age: 130,
      exitCode: 1,
      first: /^WARN oldest 2m10s, warn line 2m/,
      next: /get-event-source-mapping --uuid 0198c2f4/,
    },
    { waiting: 10_000, age: 1, exitCode: 1, first: /^WARN 10,000 records/, next: /get-event-/ },
    { waiting: 1, age: 600, exitCode: 2, first: /^PAGE oldest 10m, page line/, next: /get-event-/ },
  ])("ends with $exitCode for $waiting records of $age s", async (given) => {
    setBacklog({ waiting: given.waiting, sourceAgeSeconds: given.age });
    const { exitCode, out } = await run("status", "grants");
    expect(exitCode).toBe(given.exitCode);
    expect(out.split("\n")[0]).toMatch(given.first);
    expect(out.split("\n").at(-1)).toMatch(given.next);
  });

  it("leads to the letters where nothing else is wrong", async () => {
    setBacklog({ held: 1, open: [deadItem()] });
    const { exitCode, out } = await run("status", "grants");
    expect(exitCode).toBe(0);
    expect(out.split("\n").at(-1)).toBe("Next: npx backlogorder letters groups grants");
  });

  it("shows one attempt for a replayed record, which has no more", async () => {
    setBacklog({ waiting: 1, open: [{ ...HEAD, generation: 1, attempts: 1 }] });
    expect((await run("status", "grants")).out).toMatch(/14m02s +1 of 1 +head/);
  });

  it("shows ten blocked partitions and counts the rest", async () => {
    const open = Array.from({ length: 13 }, (_, partition) => ({
      ...HEAD,
      id: `head-${partition}`,
      partition,
    }));
    setBacklog({ waiting: 13, open });
    const { out } = await run("status", "grants");
    expect(out).toContain("Blocked: 13 of 64 partitions");
    expect(out).toContain("and 3 more partitions");
    const { blocked } = JSON.parse((await run("status", "grants", "--json")).out);
    expect(blocked).toHaveLength(13);
  });

  it.each(["0s", "30d", "1d1s", "soon", "-5s", "1.5s"])(
    "refuses to look again every %s: a timer could not keep it, or AWS would be asked without a pause",
    async (interval) => {
      const { exitCode, errors } = await run("status", "grants", `--interval=${interval}`);
      expect(errors).toContain("Expected a duration from 1s to 1d, such as 2s or 1m.");
      expect(exitCode).toBe(3);
    },
  );

  it("reads the ledger's index once", async () => {
    setBacklog({ waiting: 12, held: 3, open: [HEAD, deadItem({ id: "dead" })] });
    await run("status", "grants");
    expect(dynamoDb.commandCalls(ScanCommand)).toHaveLength(1);
  });

  it("answers in JSON with null for what is not known", async () => {
    setBacklog({ waiting: 12, held: 3, open: [HEAD, deadItem({ id: "dead" })] });
    const { exitCode, out } = await run("status", "grants", "--json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(out)).toMatchObject({
      version: 1,
      kind: "status",
      backlog: "grants",
      takenAt: "2026-01-31T03:00:00.000Z",
      level: "page",
      count: 12,
      bytes: null,
      oldestAgeMs: 842_000,
      oldestPartition: 7,
      policy: { warnAgeMs: 120_000, pageAgeMs: 600_000, maxCount: 10_000 },
      blocked: [
        {
          partition: 7,
          id: "head",
          key: "guild:\u001b[2J",
          attempts: 2,
          maxAttempts: 3,
          nextTry: { kind: "unknown", earliest: null, latest: null },
        },
      ],
      letters: { held: 3, listed: 1, notListed: 2, expired: 0, groups: [{ count: 1 }] },
      alarms: { page: { state: "unknown", since: null } },
    });
  });

  it("says which alarms are on, and does without where it may not ask", async () => {
    setBacklog({ waiting: 1 });
    cloudWatch.on(DescribeAlarmsCommand).resolves({
      CompositeAlarms: [
        {
          AlarmName: "backlogorder-grants-page",
          StateValue: "ALARM",
          StateTransitionedTimestamp: new Date(NOW - 3 * MINUTE),
        },
        { AlarmName: "backlogorder-grants-warn", StateValue: "OK" },
      ],
    });
    expect((await run("status", "grants")).out).toContain("page is on since 3m ago, warn is ok");

    const denied = Object.assign(new Error("no"), { name: "AccessDenied" });
    cloudWatch.on(DescribeAlarmsCommand).rejects(denied);
    const { exitCode, out } = await run("status", "grants");
    expect(exitCode).toBe(0);
    expect(out).toContain("page is not known, warn is not known");
  });
});
