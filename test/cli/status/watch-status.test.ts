import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, it } from "vitest";
import { openClients } from "../../../cli/clients.ts";
import { watchStatus } from "../../../cli/status/watch-status.ts";
import { setConsumer } from "../consumer/consumer-stage.ts";
import { deadItem, NOW } from "../letters/letters.ts";
import { setParameters } from "../parameters.ts";
import { dynamoDb, ssm } from "../stage.ts";

beforeEach(() => {
  const open = [deadItem({ state: "retrying", partition: 7, enqueuedAtMs: NOW - 599_000 })];
  setConsumer({ waiting: 1, open });
});

/** Watches on a clock that only waiting moves, and ends after so many looks. */
async function watch(looks: number, { json = false, onWait = (): unknown => undefined } = {}) {
  const shown: string[] = [];
  let nowMs = NOW;
  let waits = 0;
  const quiet = { write: () => undefined, width: undefined, paint: (_: string, t: string) => t };
  const session = { clients: openClients(), terminal: quiet, errors: quiet, nowMs, json };
  const exitCode = await watchStatus("grants", session, {
    intervalMs: 2000,
    screen: { show: (text) => shown.push(text) },
    nowMs: () => nowMs,
    wait: async (ms) => {
      waits += 1;
      nowMs += ms;
      onWait();
    },
    ended: () => waits === looks,
  });
  return { exitCode, shown };
}

describe("status --watch", () => {
  it("looks again after each interval, by the clock of that moment, and ends with the last code", async () => {
    const { exitCode, shown } = await watch(2);
    expect(shown.map((text) => text.split("\n")[0])).toEqual([
      "WARN oldest 9m59s, partition 7 of 64, warn line 2m, page line 10m",
      "PAGE oldest 10m01s, partition 7 of 64, page line 10m",
    ]);
    expect(exitCode).toBe(2);
  });

  it("shows one JSON object a line", async () => {
    const { shown } = await watch(2, { json: true });
    expect(shown.map((line) => JSON.parse(line).level)).toEqual(["warn", "page"]);
    expect(shown.join("")).not.toContain("\n");
  });

  it("shows what stopped a look, and goes on", async () => {
    const throttled = Object.assign(new Error("slow down"), { name: "ThrottlingException" });
    let scans = 0;
    dynamoDb.on(ScanCommand).callsFake(() => {
      scans += 1;
      if (scans === 2) throw throttled;
      return { Items: [] };
    });
    const { exitCode, shown } = await watch(3);
    expect(shown[1]).toMatch(/^Cannot tell \(throttled\): slow down\. To do: /);
    expect(shown[2]).toMatch(/^OK /);
    expect(exitCode).toBe(0);
  });

  it("ends with 3 where the last look could not tell", async () => {
    const throttled = Object.assign(new Error("slow down"), { name: "ThrottlingException" });
    const onWait = () => dynamoDb.on(ScanCommand).rejects(throttled);
    expect((await watch(2, { onWait })).exitCode).toBe(3);
  });

  it("gives up at once where the first look cannot tell", async () => {
    setParameters(ssm, {});
    await expect(watch(3)).rejects.toMatchObject({ code: "no-such-backlog" });
  });
});
