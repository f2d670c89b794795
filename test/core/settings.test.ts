import { describe, expect, it } from "vitest";
import { innocentReceives, type Settings, settingsOf } from "../../lambdas/core/settings.ts";

const DAY = 86_400;

describe("settings", () => {
  it("are the documented defaults where nothing is given", () => {
    expect(settingsOf()).toMatchObject({
      name: "backlog",
      partitions: 64,
      batchSize: 10,
      maxAttempts: 3,
      handlerTimeoutSeconds: 10,
      deadlineMarginSeconds: 2,
      consumerTimeoutSeconds: 60,
      visibilityTimeoutSeconds: 360,
      backoffBaseSeconds: 2,
      backoffCapSeconds: 60,
      maxReceiveCount: 240,
      sourceRetentionSeconds: 14 * DAY,
      letterRetentionSeconds: 14 * DAY,
      ledgerMemorySeconds: 32 * DAY,
      warnAgeSeconds: 120,
      pageAgeSeconds: 600,
      maxCount: 10_000,
      replayLimit: 10_000,
      replayRatePerSecond: 50,
      replayTimeoutSeconds: 900,
    });
  });

  it("take undefined for not given", () => {
    expect(settingsOf({ partitions: undefined } as object)).toEqual(settingsOf());
  });

  it.each([
    { given: { consumerTimeoutSeconds: 30 }, count: 480, why: "a day at 180 s of visibility" },
    {
      given: { visibilityTimeoutSeconds: 61, sourceRetentionSeconds: DAY },
      count: 1000,
      why: "SQS allows no more",
    },
    { given: { maxAttempts: 40 }, count: 420, why: "innocent waiting costs more than a day" },
  ])("derive a maxReceiveCount of $count: $why", ({ given, count }) => {
    expect(settingsOf(given).maxReceiveCount).toBe(count);
  });

  it("let innocent records wait for every head of a batch", () => {
    expect(innocentReceives(10, 3)).toBe(50);
  });

  it.each<{ given: Partial<Settings>; says: string }>([
    {
      given: { handlerTimeoutSeconds: 58 },
      says: "`consumerTimeoutSeconds` above handlerTimeoutSeconds + deadlineMarginSeconds = 60, got `60`",
    },
    {
      given: { visibilityTimeoutSeconds: 60, backoffCapSeconds: 5 },
      says: "`visibilityTimeoutSeconds` above consumerTimeoutSeconds = 60, got `60`",
    },
    {
      given: { backoffBaseSeconds: 61 },
      says: "`backoffCapSeconds` from backoffBaseSeconds = 61 and up, got `60`",
    },
    {
      given: { backoffCapSeconds: 360 },
      says: "`backoffCapSeconds` below visibilityTimeoutSeconds = 360, got `360`",
    },
    {
      given: { maxAttempts: 100 },
      says: "`batchSize * (maxAttempts + 1) + 10` up to 1000, SQS's largest maxReceiveCount, got `10 * (100 + 1) + 10 = 1020`. Lower `maxAttempts` to 98, or `batchSize`",
    },
    {
      given: { maxReceiveCount: 49 },
      says: "`maxReceiveCount` from batchSize * (maxAttempts + 1) + 10 = 50 and up, got `49`",
    },
    {
      given: { sourceRetentionSeconds: 86_400 },
      says: "`sourceRetentionSeconds` above maxReceiveCount * visibilityTimeoutSeconds = 86400, got `86400`",
    },
    {
      given: { ledgerMemorySeconds: 29 * DAY - 1 },
      says: `\`ledgerMemorySeconds\` from sourceRetentionSeconds + letterRetentionSeconds + 86400 = ${29 * DAY} and up, got \`${29 * DAY - 1}\``,
    },
    {
      given: { letterRetentionSeconds: 14 * DAY - 1 },
      says: `\`letterRetentionSeconds\` from sourceRetentionSeconds = ${14 * DAY} and up, got \`${14 * DAY - 1}\`. Raise it or lower`,
    },
    {
      given: { pageAgeSeconds: 7 * DAY + 1 },
      says: `\`pageAgeSeconds\` up to half of sourceRetentionSeconds = ${7 * DAY}, got \`${7 * DAY + 1}\`. Lower it or raise`,
    },
    {
      given: { warnAgeSeconds: 7 * DAY + 1 },
      says: `\`warnAgeSeconds\` up to half of sourceRetentionSeconds = ${7 * DAY}, got \`${7 * DAY + 1}\`. Lower it or raise`,
    },
  ])("refuse a broken relation alone: $says", ({ given, says }) => {
    expect(() => settingsOf(given)).toThrow(RangeError);
    expect(() => settingsOf(given)).toThrow(says);
    expect(brokenIn(given)).toHaveLength(1);
  });

  it.each<{ given: Partial<Settings>; why: string }>([
    { given: { handlerTimeoutSeconds: 57 }, why: "one second above" },
    { given: { visibilityTimeoutSeconds: 61, backoffCapSeconds: 5 }, why: "one second above" },
    { given: { backoffBaseSeconds: 60 }, why: "equal to the cap" },
    { given: { backoffCapSeconds: 359 }, why: "one second below" },
    { given: { maxReceiveCount: 50 }, why: "just enough for innocent waiting" },
    { given: { maxAttempts: 98 }, why: "1000 receives are just enough for innocent waiting" },
    { given: { sourceRetentionSeconds: 86_401 }, why: "one second above" },
    { given: { ledgerMemorySeconds: 29 * DAY }, why: "equal to the least" },
    {
      given: { sourceRetentionSeconds: 2 * DAY, letterRetentionSeconds: 2 * DAY },
      why: "letters live as long as records",
    },
    { given: { pageAgeSeconds: 7 * DAY, warnAgeSeconds: 7 * DAY }, why: "half of the retention" },
  ])("accept $given: $why", ({ given }) => {
    expect(settingsOf(given)).toMatchObject(given);
  });

  it.each<{ given: Record<string, unknown>; says: string }>([
    {
      given: { partitions: 0 },
      says: "`partitions` to be a whole number from 1 to 100000, got `0`",
    },
    { given: { partitions: 1.5 }, says: "`partitions`" },
    { given: { partitions: "64" }, says: "`partitions`" },
    { given: { batchSize: 11 }, says: "`batchSize` to be a whole number from 1 to 10, got `11`" },
    { given: { maxAttempts: 0 }, says: "`maxAttempts`" },
    { given: { maxAttempts: Number.NaN }, says: "`maxAttempts`" },
    {
      given: { consumerTimeoutSeconds: 901, visibilityTimeoutSeconds: 5406 },
      says: "from 1 to 900",
    },
    { given: { backoffBaseSeconds: -1 }, says: "`backoffBaseSeconds` to be a number from 0" },
    { given: { maxReceiveCount: 1001 }, says: "`maxReceiveCount`" },
    { given: { letterRetentionSeconds: 59 }, says: "`letterRetentionSeconds`" },
    { given: { name: "" }, says: "`name` to match" },
    { given: { name: "1st" }, says: "got `1st`" },
    { given: { name: "a/b" }, says: "got `a/b`" },
    { given: { name: "a".repeat(65) }, says: "`name`" },
  ])("refuse what is out of range: $given", ({ given, says }) => {
    expect(() => settingsOf(given as Partial<Settings>)).toThrow(says);
  });

  it("name every broken rule at once, what came, and what to do", () => {
    const broken = brokenIn({ batchSize: 0, visibilityTimeoutSeconds: 30, backoffCapSeconds: 20 });
    expect(broken).toHaveLength(2);
    expect(broken[0]).toContain("`batchSize`");
    expect(broken[1]).toContain("Raise it (6 times is AWS's advice)");
  });

  it("let an alert threshold be switched off", () => {
    const off = { warnAgeSeconds: 0, pageAgeSeconds: -1, maxCount: 0 };
    expect(settingsOf(off)).toMatchObject(off);
  });
});

function brokenIn(given: Partial<Settings>): string[] {
  try {
    settingsOf(given);
    return [];
  } catch (error) {
    return String(error).split("\n- ").slice(1);
  }
}
