import { describe, expect, it } from "vitest";
import { type BacklogParts, backlogOf } from "../../lambdas/core/backlog.ts";
import type { LedgerItem } from "../../lambdas/core/ledger.ts";
import { EXPIRY_TOLERANCE_MS } from "../../lambdas/core/letters/letter-expiry.ts";

const NOW = 1_700_000_000_000;
const DAY = 86_400_000;

function itemOf(given: Partial<LedgerItem>): LedgerItem {
  return {
    id: "a",
    key: "player:1",
    partition: 1,
    offset: "10",
    enqueuedAtMs: NOW - 1000,
    generation: 0,
    attempts: 1,
    attemptId: undefined,
    state: "retrying",
    messageId: undefined,
    reason: "no funds",
    failedAtMs: NOW - 500,
    ...given,
  };
}

function snapshotOf(given: Partial<BacklogParts>) {
  return backlogOf({
    nowMs: NOW,
    source: { visible: 1, inFlight: 0, delayed: 0 },
    letters: { visible: 0, inFlight: 0, delayed: 0 },
    sourceAgeMs: undefined,
    letterAgeMs: undefined,
    averageBytes: undefined,
    open: [],
    letterRetentionMs: 14 * DAY,
    ...given,
  });
}

describe("a snapshot's size", () => {
  it("counts what is visible, in flight and delayed", () => {
    const source = { visible: 5, inFlight: 3, delayed: 1 };
    expect(snapshotOf({ source, averageBytes: 100.4 })).toMatchObject({
      count: 9,
      bytes: 904,
      bytesIsEstimate: true,
    });
  });

  it("knows no bytes where no size is known, and none of an empty queue", () => {
    expect(snapshotOf({}).bytes).toBeUndefined();
    expect(snapshotOf({ source: { visible: 0, inFlight: 0, delayed: 0 } }).bytes).toBe(0);
  });
});

describe("a snapshot's age", () => {
  it.each([
    { sourceAgeMs: 9000, retryingMs: 4000, oldest: 9000, why: "SQS knows an older one" },
    { sourceAgeMs: 2000, retryingMs: 4000, oldest: 4000, why: "SQS leaves out what it gave often" },
    { sourceAgeMs: undefined, retryingMs: 4000, oldest: 4000, why: "SQS reports nothing" },
    { sourceAgeMs: undefined, retryingMs: -4000, oldest: 0, why: "a publisher's clock is ahead" },
  ])("is $oldest of $sourceAgeMs and $retryingMs: $why", ({ sourceAgeMs, retryingMs, oldest }) => {
    const open = [itemOf({ enqueuedAtMs: NOW - retryingMs })];
    expect(snapshotOf({ sourceAgeMs, open })).toMatchObject({
      oldestAgeMs: oldest,
      oldestRetryingAgeMs: Math.max(0, retryingMs),
    });
  });

  it("is 0 for an empty queue, whatever late metrics and left-over items say", () => {
    const source = { visible: 0, inFlight: 0, delayed: 0 };
    expect(snapshotOf({ source, sourceAgeMs: 5000, open: [itemOf({})] })).toMatchObject({
      oldestAgeMs: 0,
      oldestRetryingAgeMs: 0,
      blocked: [],
    });
  });

  it("does not count the dead, who block nobody", () => {
    expect(snapshotOf({ open: [itemOf({ state: "dead" })] })).toMatchObject({
      oldestRetryingAgeMs: 0,
      blocked: [],
    });
  });

  it("is not that of a replayed record, which waited as a letter: it blocks, and pages nobody", () => {
    const open = [
      itemOf({ id: "replayed", generation: 1, enqueuedAtMs: NOW - 9 * DAY }),
      itemOf({ id: "new", partition: 2, enqueuedAtMs: NOW - 400 }),
    ];
    const snapshot = snapshotOf({ open, sourceAgeMs: 300 });
    expect(snapshot).toMatchObject({ oldestAgeMs: 400, oldestRetryingAgeMs: 400 });
    expect(snapshot.blocked.map(({ id }) => id)).toEqual(["replayed", "new"]);
  });

  it("looks at all retrying records, also behind the head of their partition", () => {
    const open = [
      itemOf({ id: "head", offset: "9", enqueuedAtMs: NOW - 100 }),
      itemOf({ id: "behind", offset: "10", enqueuedAtMs: NOW - 900 }),
    ];
    expect(snapshotOf({ open }).oldestRetryingAgeMs).toBe(900);
  });
});

describe("who is blocked", () => {
  it("is the head of each partition by offset as an integer, the longest blocked first", () => {
    const open = [
      itemOf({ id: "b", partition: 1, offset: "10", enqueuedAtMs: NOW - 100 }),
      itemOf({ id: "a", partition: 1, offset: "9", enqueuedAtMs: NOW - 200 }),
      itemOf({ id: "c", partition: 2, offset: undefined, enqueuedAtMs: NOW - 300 }),
      itemOf({ id: "d", partition: 3, offset: "1", enqueuedAtMs: NOW - 50 }),
    ];
    const { blocked } = snapshotOf({ open });
    expect(blocked.map(({ id, ageMs }) => [id, ageMs])).toEqual([
      ["c", 300],
      ["a", 200],
      ["d", 50],
    ]);
  });

  it("says who, since when and why, and nothing else", () => {
    expect(snapshotOf({ open: [itemOf({})] }).blocked).toEqual([
      {
        partition: 1,
        id: "a",
        key: "player:1",
        attempts: 1,
        generation: 0,
        reason: "no funds",
        failedAtMs: NOW - 500,
        ageMs: 1000,
      },
    ]);
  });
});

describe("the nearest expiry", () => {
  const letters = { visible: 2, inFlight: 1, delayed: 0 };
  const dead = (failedAtMs: number | undefined) => itemOf({ state: "dead", failedAtMs });

  it("is that of the letter that died first", () => {
    const open = [dead(NOW - 3 * DAY), dead(NOW - 5 * DAY), dead(NOW - DAY)];
    expect(snapshotOf({ letters, open })).toMatchObject({
      letters: 3,
      nearestExpiryMs: 9 * DAY,
    });
  });

  it("is SQS's where it knows an older one, which the ledger does not list", () => {
    const open = [dead(NOW - 3 * DAY)];
    expect(snapshotOf({ letters, open, letterAgeMs: 12 * DAY }).nearestExpiryMs).toBe(2 * DAY);
  });

  it("is no more that of a letter whose time is over: SQS has deleted it", () => {
    const open = [dead(NOW - 15 * DAY), dead(NOW - DAY)];
    expect(snapshotOf({ letters, open }).nearestExpiryMs).toBe(13 * DAY);
  });

  it("is not known without letters, or where nothing tells of them", () => {
    const none = { visible: 0, inFlight: 0, delayed: 0 };
    expect(snapshotOf({ letters: none, open: [dead(NOW)] }).nearestExpiryMs).toBeUndefined();
    expect(snapshotOf({ letters }).nearestExpiryMs).toBeUndefined();
  });
});

describe("discarded letters in a snapshot", () => {
  const letters = { visible: 3, inFlight: 0, delayed: 0 };

  it("are told apart from those that wait for somebody", () => {
    const withheld = [{ failedAtMs: NOW - DAY }, { failedAtMs: NOW - 2 * DAY }];
    expect(snapshotOf({ letters, withheld })).toMatchObject({ letters: 1, discarded: 2 });
  });

  it("count no more once SQS has deleted them, unless they were sent again", () => {
    const withheld = [
      { failedAtMs: NOW - 15 * DAY },
      { failedAtMs: NOW - 15 * DAY, letterSentAtMs: NOW - DAY },
    ];
    expect(snapshotOf({ letters, withheld })).toMatchObject({ letters: 2, discarded: 1 });
  });

  describe("whose time has just ended", () => {
    const ended = { failedAtMs: NOW - 14 * DAY - 60_000 };
    const one = { visible: 1, inFlight: 0, delayed: 0 };

    it("raise no alarm while SQS's own numbers lag behind", () => {
      const letterAgeMs = 14 * DAY + 60_000;
      const snapshot = snapshotOf({ letters: one, withheld: [ended], letterAgeMs });
      expect(snapshot).toMatchObject({ letters: 0, discarded: 1, nearestExpiryMs: undefined });
    });

    it("raise none once its count has followed and its age has not", () => {
      const open = [itemOf({ state: "dead", failedAtMs: NOW - DAY })];
      const letterAgeMs = 14 * DAY;
      const snapshot = snapshotOf({ letters: one, open, withheld: [ended], letterAgeMs });
      expect(snapshot.nearestExpiryMs).toBe(13 * DAY);
    });

    it("hide no letter that the ledger lists", () => {
      const open = [itemOf({ state: "dead", failedAtMs: NOW - DAY })];
      const snapshot = snapshotOf({ letters: one, open, withheld: [ended] });
      expect(snapshot).toMatchObject({ letters: 1, discarded: 0 });
    });

    it("are forgotten when the tolerance is over", () => {
      const gone = { failedAtMs: NOW - 14 * DAY - EXPIRY_TOLERANCE_MS };
      const snapshot = snapshotOf({ letters: one, withheld: [gone] });
      expect(snapshot).toMatchObject({ letters: 1, discarded: 0 });
    });
  });

  it.each([
    { why: "the discarded one's", letterAgeMs: 10 * DAY + 60_000, left: undefined },
    { why: "an older letter's", letterAgeMs: 11 * DAY, left: 3 * DAY },
  ])("leave the expiry to others where SQS's oldest age is $why", ({ letterAgeMs, left }) => {
    const withheld = [{ failedAtMs: NOW - 10 * DAY }];
    expect(snapshotOf({ letters, withheld, letterAgeMs }).nearestExpiryMs).toBe(left);
  });

  it("leave no expiry where they are all that the queue holds", () => {
    const withheld = [1, 2, 3].map((days) => ({ failedAtMs: NOW - days * DAY }));
    const snapshot = snapshotOf({ letters, withheld, letterAgeMs: 3 * DAY });
    expect(snapshot).toMatchObject({ letters: 0, nearestExpiryMs: undefined });
  });
});
