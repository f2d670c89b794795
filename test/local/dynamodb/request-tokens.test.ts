import { describe, expect, it } from "vitest";
import { createRequestTokens } from "../../../local/dynamodb/request-tokens.ts";

describe("createRequestTokens", () => {
  it("runs once for requests that come at the same moment", async () => {
    const tokens = createRequestTokens<number>(() => 0);
    let runs = 0;
    const run = async () => {
      runs += 1;
      return runs;
    };
    const outcomes = [1, 2, 3].map(() => tokens.once("token", "request", run));
    expect(await Promise.all(outcomes)).toEqual([1, 1, 1]);
  });

  it("lets those that waited for a failure try again, one by one, until one succeeds", async () => {
    const tokens = createRequestTokens<number>(() => 0);
    let runs = 0;
    let running = 0;
    const run = async () => {
      runs += 1;
      running += 1;
      expect(running).toBe(1);
      const mine = runs;
      await Promise.resolve();
      running -= 1;
      if (mine < 3) throw new Error(`run ${mine} failed`);
      return mine;
    };
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4, 5].map(() => tokens.once("token", "request", run)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      "rejected",
      "rejected",
      "fulfilled",
      "fulfilled",
      "fulfilled",
    ]);
    expect(runs).toBe(3);
  });

  it("runs every time without a token", async () => {
    const tokens = createRequestTokens<number>(() => 0);
    let runs = 0;
    const run = async () => {
      runs += 1;
      return runs;
    };
    expect(await tokens.once(undefined, "request", run)).toBe(1);
    expect(await tokens.once(undefined, "request", run)).toBe(2);
  });
});
