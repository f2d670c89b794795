import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dryRunClients } from "../../../bench/probe/dry-run.ts";
import { FILL } from "../../../bench/probe/fill.ts";
import { MOVE_TASK } from "../../../bench/probe/move-task.ts";
import { MOVED_MESSAGE } from "../../../bench/probe/moved-letters.ts";
import type { Probe, ProbeClients } from "../../../bench/probe/probe.ts";
import { PROBES } from "../../../bench/probe/probes.ts";
import { type Answer, runProbes, tableOf } from "../../../bench/probe/run-probes.ts";

let dryRun: { readonly clients: ProbeClients; readonly close: () => Promise<void> };
const calls: string[] = [];

beforeAll(async () => {
  dryRun = await dryRunClients((line) => calls.push(line));
});

afterAll(() => dryRun.close());

async function ask(probe: Probe): Promise<Answer | undefined> {
  calls.length = 0;
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const stage = { ...dryRun.clients, prefix: "probe", watchMs: 0, sleep };
  const [answer] = await runProbes([probe], stage, () => undefined);
  return answer;
}

describe("a probe in a dry run", () => {
  it("asks what is kept of a moved message, and deletes both queues", async () => {
    const answer = await ask(MOVED_MESSAGE);
    expect(answer?.said).toContain("MessageGroupId kept");
    expect(answer?.said).toContain("MessageDeduplicationId new (the MessageId)");
    expect(calls.filter((call) => call.includes("CreateQueue")).length).toBe(2);
    expect(calls.filter((call) => call.includes("DeleteQueue")).length).toBe(2);
  }, 30_000);

  it("asks what a move task does", async () => {
    expect((await ask(MOVE_TASK))?.said).toContain("came back within the 5 minutes");
  }, 30_000);

  it("asks what FILL makes of a metric that was never told, and deletes its alarm", async () => {
    const answer = await ask(FILL);
    // As the embedded CloudWatch takes it: a value for each minute asked for.
    expect(answer?.said).toMatch(
      /: told 1, never 0, alone 1[12], sum 1[12], largest 1[12], condition 1; the alarm on the sum is [A-Z_]+$/,
    );
    const alarms = calls.filter((call) => /PutMetricAlarm|DeleteAlarms/.test(call));
    expect(alarms.map((call) => call.trim().split(" ")[1])).toEqual([
      "PutMetricAlarmCommand",
      "DeleteAlarmsCommand",
    ]);
  }, 30_000);

  it("deletes what it made where AWS gives no answer, and says so", async () => {
    const answer = await ask({
      name: "broken",
      question: "a | b?",
      assumed: "-",
      async answer(stage): Promise<string> {
        stage.atEnd(() => Promise.reject(new Error("queue stays")));
        await Promise.reject(new Error("refused"));
        return "never";
      },
    });
    expect(answer?.said).toBe("no answer: refused; LEFT BEHIND: queue stays");
  });
});

it("writes a table whose cells cannot break it", () => {
  const [probe] = PROBES;
  const table = tableOf(
    probe === undefined ? [] : [{ probe: { ...probe, question: "a | b\nc?" }, said: "d | e" }],
  );
  expect(table.split("\n").at(-1)).toBe(`| a \\| b c? | ${probe?.assumed} | d \\| e |`);
});
