import { describe, expect, it } from "vitest";
import {
  parseCancelRequest,
  parsePlanRequest,
  parseReplayRequest,
  ReplayRequestError,
} from "../../../lambdas/core/replay/replay-request.ts";

const BOUNDS = { partitions: 16, replayLimit: 1000, replayRatePerSecond: 50 };

describe("a replay request", () => {
  it.each([undefined, null, {}])(
    "of %j asks for everything, at the backlog's own limits",
    (event) => {
      expect(parseReplayRequest(event, BOUNDS)).toEqual({
        dryRun: false,
        filter: {},
        limit: 1000,
        ratePerSecond: 50,
        requestedBy: undefined,
        why: undefined,
      });
    },
  );

  it("is taken as given where it keeps the rules", () => {
    const filter = { partition: 15, key: "", ids: ["a"], reason: "stock" };
    const event = {
      dryRun: true,
      filter,
      limit: 1,
      ratePerSecond: 0.5,
      requestedBy: "ann",
      why: "x",
    };
    expect(parseReplayRequest(event, BOUNDS)).toEqual(event);
  });

  it.each([
    { given: "2023-11-14T22:13:20Z", why: "ISO 8601" },
    { given: "2023-11-14T23:13:20+01:00", why: "ISO 8601 of another zone" },
    { given: 1_700_000_000_000, why: "milliseconds" },
  ])("takes a time as $why", ({ given }) => {
    const request = parseReplayRequest({ filter: { failedAfter: given } }, BOUNDS);
    expect(request.filter.failedAfterMs).toBe(1_700_000_000_000);
  });

  it.each([
    { event: 5, says: "Expected the request to be a JSON object, got 5" },
    { event: [], says: "Expected the request to be a JSON object, got []" },
    { event: { filter: [] }, says: "Expected `filter` to be an object, got []" },
    {
      event: { limits: 1 },
      says: "Expected no field `limits`, got 1; the fields are dryRun, filter",
    },
    {
      event: { filter: { keys: [] } },
      says: "no field `filter.keys`, got []; the fields are filter.partition",
    },
    { event: { dryRun: "yes" }, says: 'Expected `dryRun` to be true or false, got "yes"' },
    {
      event: { limit: 0 },
      says: "`limit` to be a whole number from 1 to 1000, the backlog's replay limit, got 0",
    },
    { event: { limit: 1001 }, says: "got 1001" },
    { event: { limit: 1.5 }, says: "got 1.5" },
    { event: { ratePerSecond: 0 }, says: "`ratePerSecond` to be a number above 0 and up to 50" },
    { event: { ratePerSecond: 51 }, says: "got 51" },
    {
      event: { filter: { partition: 16 } },
      says: "`filter.partition` to be a whole number from 0 to 15, got 16",
    },
    { event: { filter: { partition: "5" } }, says: 'got "5"' },
    { event: { filter: { ids: [] } }, says: "`filter.ids` to be 1 to 1000 record ids" },
    { event: { filter: { ids: [7] } }, says: "`filter.ids.0` to be 1 to 1000 record ids" },
    { event: { filter: { ids: [""] } }, says: 'got ""' },
    {
      event: { filter: { failedAfter: "yesterday" } },
      says: 'an ISO 8601 date or whole milliseconds since 1970, got "yesterday"',
    },
    { event: { filter: { failedAfter: "2023-13-45" } }, says: 'got "2023-13-45"' },
    { event: { filter: { failedAfter: "2023-02-29T10:00:00Z" } }, says: 'got "2023-02-29T10' },
    { event: { filter: { failedBefore: -1 } }, says: "`filter.failedBefore`" },
    {
      event: { filter: { failedAfter: 2, failedBefore: 2 } },
      says: "`filter.failedAfter` to be before `filter.failedBefore`",
    },
    { event: { filter: { reason: "" } }, says: "`filter.reason` to be a text of 1 to 1000" },
    { event: { filter: { group: "xyz" } }, says: "`filter.group` to be the id of a group" },
    { event: { plan: { digest: "abc" } }, says: "`plan.digest` to be the digest of a plan" },
    {
      event: { plan: { id: 1 } },
      says: "no field `plan.id`, got 1; the fields are plan.digest",
    },
    { event: { plan: [] }, says: "`plan` to be an object, got []" },
    { event: { overtaken: "no" }, says: "`overtaken` to be true or false" },
    { event: { ramp: [] }, says: "`ramp` to be 1 to 20 whole numbers" },
    { event: { ramp: [1, 0] }, says: "`ramp.1` to be 1 to 20 whole numbers" },
    { event: { stopAfterFailures: 0 }, says: "`stopAfterFailures` to be a whole number" },
    { event: { why: "x".repeat(1001) }, says: "`why` to be a text of at most 1000 characters" },
  ])("of $event is refused: $says", ({ event, says }) => {
    const parse = () => parseReplayRequest(event, BOUNDS);
    expect(parse).toThrow(ReplayRequestError);
    expect(parse).toThrow(says);
    expect(parse).toThrow("nothing was touched");
  });

  it("is held to a plan as it was made: with its own limit, or else the request's", () => {
    const digest = "0".repeat(64);
    const planOf = (event: unknown) => parseReplayRequest(event, BOUNDS).plan;
    expect(planOf({ plan: { digest }, limit: 7 })).toEqual({ digest, limit: 7 });
    expect(planOf({ plan: { digest, limit: 5000 }, limit: 7 })).toEqual({ digest, limit: 5000 });
    expect(planOf({ plan: { digest } })).toEqual({ digest, limit: undefined });
  });

  it("is told every rule that it breaks at once", () => {
    const parse = () => parseReplayRequest({ limit: 0, filter: { partition: 99 } }, BOUNDS);
    expect(parse).toThrow(/`filter.partition`.*`limit`|`limit`.*`filter.partition`/);
  });
});

describe("a plan's request", () => {
  it("may cover more letters than one run takes", () => {
    const request = parsePlanRequest({ limit: 5000, filter: { group: "0011aabb" } }, BOUNDS);
    expect(request).toMatchObject({ limit: 5000, filter: { group: "0011aabb" } });
    expect(parsePlanRequest(undefined, BOUNDS).limit).toBeUndefined();
  });

  it.each([
    { event: { dryRun: true }, says: "no field `dryRun` in the request of a plan, got true" },
    {
      event: { ratePerSecond: 1 },
      says: "no field `ratePerSecond` in the request of a plan, got 1",
    },
    { event: { plan: { digest: "x" } }, says: "no field `plan` in the request of a plan" },
    { event: { ramp: [1] }, says: "the fields are filter, filter.partition" },
    { event: { limit: 100_001 }, says: "a whole number from 1 to 100000, got 100001" },
  ])("of $event is refused: $says", ({ event, says }) => {
    expect(() => parsePlanRequest(event, BOUNDS)).toThrow(says);
  });
});

it("a cancellation names its run", () => {
  expect(parseCancelRequest({ runId: "run-1", requestedBy: "ann" })).toBe("run-1");
  expect(() => parseCancelRequest({})).toThrow(ReplayRequestError);
});
