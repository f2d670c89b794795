import {
  DescribeTimeToLiveCommand,
  PutItemCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { key, type LocalTable, startLocalTable, TABLE } from "./local-table.ts";

const START_SECONDS = 1_800_000_000;
const YEAR_SECONDS = 365 * 86_400;

let nowMs: number;
let table: LocalTable;

beforeEach(async () => {
  nowMs = START_SECONDS * 1000;
  table = await startLocalTable({ now: () => nowMs, expiryPauseMs: 5 });
});

afterEach(() => table.close());

function timeToLive(Enabled: boolean, AttributeName = "endsAt") {
  const TimeToLiveSpecification = { Enabled, AttributeName };
  return table.client.send(
    new UpdateTimeToLiveCommand({ TableName: TABLE, TimeToLiveSpecification }),
  );
}

async function put(account: string, endsAt: { N: string } | { S: string }) {
  const Item = { ...key(account), gold: { N: "1" }, endsAt };
  await table.client.send(new PutItemCommand({ TableName: TABLE, Item }));
}

async function gone(account: string) {
  await expect.poll(() => table.goldOf(account)).toBeUndefined();
}

describe("time to live", () => {
  it("deletes an item after its second and not in it", async () => {
    await timeToLive(true);
    await put("ends", { N: String(START_SECONDS) });
    await put("ended before", { N: String(START_SECONDS - 1) });
    await gone("ended before");
    expect(await table.goldOf("ends")).toBe(1);
    nowMs += 1000;
    await gone("ends");
  });

  it("leaves alone what has no time, a text for one, or one over five years ago", async () => {
    await timeToLive(true);
    await table.putGold("without", 1);
    await put("text", { S: "1" });
    await put("milliseconds", { N: String(nowMs) });
    await put("long ago", { N: String(START_SECONDS - 5 * YEAR_SECONDS - 1) });
    await put("ended", { N: String(START_SECONDS - 5 * YEAR_SECONDS + 1) });
    await gone("ended");
    for (const account of ["without", "text", "milliseconds", "long ago"]) {
      expect(await table.goldOf(account)).toBe(1);
    }
  });

  it("finds ended items beyond the first page of a table", async () => {
    for (let index = 0; index < 8; index += 1) {
      const Item = { ...key(`big ${index}`), text: { S: "x".repeat(300_000) } };
      await table.client.send(new PutItemCommand({ TableName: TABLE, Item }));
      await put(`ended ${index}`, { N: String(START_SECONDS - 1) });
    }
    await timeToLive(true);
    for (let index = 0; index < 8; index += 1) await gone(`ended ${index}`);
  });

  it("can be looked at, changed only by way of off, and turned off", async () => {
    const told = async () =>
      (await table.client.send(new DescribeTimeToLiveCommand({ TableName: TABLE })))
        .TimeToLiveDescription;
    expect(await told()).toEqual({ TimeToLiveStatus: "DISABLED" });
    await timeToLive(true);
    expect(await told()).toEqual({ TimeToLiveStatus: "ENABLED", AttributeName: "endsAt" });
    await expect(timeToLive(true)).rejects.toMatchObject({ name: "ValidationException" });
    await expect(timeToLive(true, "other")).rejects.toMatchObject({
      message: expect.stringContaining("current AttributeName is endsAt"),
    });
    await timeToLive(false);
    expect(await told()).toEqual({ TimeToLiveStatus: "DISABLED" });
    await expect(timeToLive(false)).rejects.toMatchObject({ name: "ValidationException" });
  });
});
