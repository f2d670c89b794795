import { expect, test } from "vitest";
import type { AlertPolicy } from "../../../lambdas/core/alert-policy.ts";
import {
  lasting,
  levelAfter,
  type Minute,
  statesAfter,
  statesThrough,
  watchedBacklogs,
} from "../watched-backlog.ts";

const OFF: AlertPolicy = { warnAgeMs: 0, pageAgeMs: 0, maxCount: 0 };
const [usual, off, late] = watchedBacklogs([
  { warnAgeMs: 120_000, pageAgeMs: 600_000, maxCount: 10_000 },
  OFF,
  { ...OFF, pageAgeMs: 3 * 86_400_000 },
]) as [Watched, Watched, Watched];

type Watched = ReturnType<typeof watchedBacklogs>[number];

type MetricAlarm = {
  readonly AlarmName: string;
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: { readonly MetricName: string } };
  }[];
};

const quiet: Minute = { visible: 0, deleted: 0 };
const busy: Minute = { visible: 20, inFlight: 10, deleted: 500, age: 3 };

test.each([
  { why: "an idle queue that reports zeros", minutes: lasting(20, quiet) },
  { why: "a queue that reports nothing at all", minutes: lasting(20, {}) },
  { why: "a busy queue", minutes: lasting(20, busy) },
  {
    why: "a record that waits for its second try",
    minutes: [...lasting(9, busy), { visible: 1, deleted: 0, age: 100 }],
  },
])("$why is ok", ({ minutes }) => {
  expect(levelAfter(usual, minutes)).toBe("ok");
});

test("an age that shows only between two tries keeps the page on and does not flap it", () => {
  const seen: Minute = { visible: 1, age: 900, deleted: 1 };
  const gap: Minute = { visible: 0, inFlight: 1, deleted: 1 };
  for (let minutesSince = 0; minutesSince <= 6; minutesSince += 1) {
    expect(levelAfter(usual, [seen, ...lasting(minutesSince, gap)])).toBe("page");
  }
  expect(levelAfter(usual, [seen, ...lasting(8, quiet)])).toBe("ok");
});

test("a record that SQS leaves out of its age still pages by the ledger's", () => {
  const minute: Minute = { visible: 5, age: 2, deleted: 9, snapshot: { retryingAge: 600 } };
  expect(levelAfter(usual, lasting(2, minute))).toBe("page");
});

test("records that wait while none is deleted page after pageAge and not before", () => {
  const stuck: Minute = { visible: 0, inFlight: 3, deleted: 0 };
  expect(levelAfter(usual, [...lasting(5, busy), ...lasting(9, stuck)])).toBe("ok");
  expect(statesAfter(usual, [...lasting(5, busy), ...lasting(10, stuck)])).toMatchObject({
    stalled: "ALARM",
    "page-age": "OK",
    page: "ALARM",
  });
});

test("a minute that SQS has not reported yet neither raises nor clears a standstill", () => {
  const stuck: Minute = { visible: 3, deleted: 0 };
  expect(levelAfter(usual, [...lasting(5, busy), ...lasting(12, stuck), {}])).toBe("page");
  expect(levelAfter(usual, [...lasting(5, busy), ...lasting(9, stuck), {}])).toBe("ok");
});

test("a standstill of records that are all in flight pages, whether there are snapshots or not", () => {
  const stuck: Minute = { visible: 0, inFlight: 3, deleted: 0 };
  const blind: Minute = { ...stuck, snapshot: "none" };
  expect(levelAfter(usual, [...lasting(5, busy), ...lasting(12, stuck), blind])).toBe("page");
  expect(levelAfter(usual, [...lasting(5, busy), ...lasting(30, blind)])).toBe("page");
});

test("one deletion ends a standstill", () => {
  const stuck: Minute = { visible: 3, deleted: 0 };
  const minutes = [...lasting(12, stuck), { visible: 3, deleted: 1 }];
  expect(levelAfter(usual, minutes)).toBe("ok");
});

test("a standstill of a day pages even where pageAge is longer", () => {
  const stuck: Minute = { visible: 3, deleted: 0 };
  expect(levelAfter(late, lasting(1440, stuck))).toBe("page");
  expect(levelAfter(late, [...lasting(1, busy), ...lasting(1439, stuck)])).toBe("ok");
});

test("a policy that is off leaves no alarm on age, count or standstill", () => {
  const states = statesAfter(off, lasting(20, { visible: 1e6, age: 1e6, deleted: 0 }));
  expect(Object.keys(states).sort()).toEqual(
    ["consumer-errors", "consumer-throttles", "letter-expiry", "letters", "page"].concat([
      "snapshot-missing",
      "warn",
    ]),
  );
  expect(states).toMatchObject({ page: "OK", warn: "OK" });
});

test("a snapshot that is missing for long warns, one missing minute does not", () => {
  const blind: Minute = { ...busy, snapshot: "none" };
  expect(levelAfter(usual, [...lasting(10, busy), ...lasting(1, blind)])).toBe("ok");
  expect(levelAfter(usual, [...lasting(10, busy), ...lasting(7, blind)])).toBe("warn");
});

test.each([
  { why: "the queue's own gauge", minute: { lettersVisible: 1 } },
  { why: "the snapshot, while the queue's gauge lags", minute: { snapshot: { letters: 1 } } },
])("the first letter warns by $why", ({ minute }) => {
  expect(levelAfter(usual, [...lasting(5, quiet), { ...quiet, ...minute }])).toBe("warn");
});

test("discarded letters do not warn, nor in a minute whose snapshot is late; one more letter does", () => {
  const discarded: Minute = { ...quiet, lettersVisible: 2, snapshot: { letters: 0, discarded: 2 } };
  const late: Minute = { ...quiet, lettersVisible: 2, snapshot: "none" };
  expect(levelAfter(usual, [...lasting(5, discarded), late])).toBe("ok");
  const another: Minute = { ...discarded, lettersVisible: 3 };
  expect(levelAfter(usual, [...lasting(5, discarded), another])).toBe("warn");
});

test("a letter pages four days before SQS deletes it", () => {
  const expiring = (nearestExpiry: number) =>
    lasting(3, { ...quiet, snapshot: { letters: 1, nearestExpiry } });
  expect(levelAfter(usual, expiring(345_601))).toBe("warn");
  expect(levelAfter(usual, expiring(345_600))).toBe("page");
});

test("a letter near its end goes on paging while there is no snapshot, and until one says that it is gone", () => {
  const expiring: Minute = { ...quiet, snapshot: { letters: 1, nearestExpiry: 345_600 } };
  const blind: Minute = { ...quiet, snapshot: "none" };
  const minutes = [...lasting(3, expiring), ...lasting(60, blind), ...lasting(10, quiet)];
  const pages = statesThrough(usual, minutes).map(({ "letter-expiry": state }) => state);
  expect(new Set(pages.slice(0, 63))).toEqual(new Set(["ALARM"]));
  expect(pages.at(-1)).toBe("OK");
});

test("no alarm adds up metrics that SQS may never report: what FILL gives for one is written nowhere", () => {
  const alarms = usual.alarms as readonly MetricAlarm[];
  const queries = alarms.flatMap(({ Metrics = [] }) => Metrics);
  const seldom = queries.filter(({ MetricStat }) =>
    /NotVisible|Delayed/.test(MetricStat?.Metric.MetricName ?? ""),
  );
  expect(seldom.map(({ Id }) => Id)).toEqual(["inFlight"]);
  const [stalled = ""] = queries
    .map(({ Expression = "" }) => Expression)
    .filter((text) => text.includes("inFlight"));
  expect(stalled.replace("MAX([visible, FILL(inFlight, 0)])", "records")).not.toContain("inFlight");
});

test.each([
  { alarm: "consumer-errors", minute: { errors: 1 } },
  { alarm: "consumer-throttles", minute: { throttles: 1 } },
])("$alarm warns for some minutes, then rests", ({ alarm, minute }) => {
  const once = [...lasting(5, busy), { ...busy, ...minute }];
  expect(statesAfter(usual, once)).toMatchObject({ [alarm]: "ALARM", warn: "ALARM" });
  expect(levelAfter(usual, [...once, ...lasting(8, { ...busy, errors: 0, throttles: 0 })])).toBe(
    "ok",
  );
});

test("warn is quiet while page is on", () => {
  const minute: Minute = { visible: 20_000, age: 700, deleted: 1, lettersVisible: 3 };
  expect(statesAfter(usual, lasting(3, minute))).toMatchObject({
    "warn-age": "ALARM",
    "warn-count": "ALARM",
    letters: "ALARM",
    page: "ALARM",
    warn: "OK",
  });
});
