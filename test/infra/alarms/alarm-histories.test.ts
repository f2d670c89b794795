import fc from "fast-check";
import { expect, test } from "vitest";
import { type AlertLevel, evaluate } from "../../../lambdas/core/alert-policy.ts";
import { lasting, type Minute, statesThrough, watchedBacklogs } from "../watched-backlog.ts";

const POLICY = { warnAgeMs: 120_000, pageAgeMs: 600_000, maxCount: 10_000 };
const [watched] = watchedBacklogs([POLICY]) as [ReturnType<typeof watchedBacklogs>[number]];

const HOUR = 60;

/** A first crash that nobody counts and three that are counted, a visibility timeout apart. */
const KILLING_MINUTES = 4 * 6;

/** A minute of which neither SQS nor the snapshot says anything. */
const BLIND: Minute = { snapshot: "none" };
const quiet: Minute = { visible: 0, deleted: 0 };
const busy: Minute = { visible: 20, inFlight: 10, deleted: 500, age: 3 };

/** Minute by minute, from 0. */
function minutesOf(count: number, minuteAt: (minute: number) => Minute): readonly Minute[] {
  return Array.from({ length: count }, (_, minute) => minuteAt(minute));
}

/** Longer than any alarm's window, so that all have cleared. */
const AFTERWARDS = lasting(15, quiet);

type History = {
  readonly why: string;
  /** The incident, from the minute of its first record on. */
  readonly incident: readonly Minute[];
  /** Minute of the incident in which somebody is paged. */
  readonly pagedAt: number;
};

const HISTORIES: readonly History[] = [
  {
    why: "a head fails for an hour while the others go on, with SQS's age",
    incident: minutesOf(HOUR, (minute) => ({ ...busy, age: 60 * minute })),
    pagedAt: 10,
  },
  {
    why: "a head fails for an hour while the others go on, left out of SQS's age",
    incident: minutesOf(HOUR, (minute) => ({ ...busy, snapshot: { retryingAge: 60 * minute } })),
    pagedAt: 10,
  },
  {
    why: "a head fails for an hour alone, seen by SQS once in six minutes",
    incident: minutesOf(HOUR, (minute) =>
      minute % 6 === 0 ? { visible: 1, deleted: 0, age: 60 * minute } : hidden(1),
    ),
    // The standstill pages: no age is seen between minutes 6 and 12.
    pagedAt: 9,
  },
  {
    why: "a head fails for an hour, and every seventh snapshot is missing",
    incident: minutesOf(HOUR, (minute) => ({
      ...busy,
      snapshot: minute % 7 === 6 ? "none" : { retryingAge: 60 * minute },
    })),
    pagedAt: 10,
  },
  {
    why: "the consumer is paused for an hour",
    incident: minutesOf(HOUR, (minute) => ({
      visible: 100 * minute,
      deleted: 0,
      age: 60 * minute,
    })),
    pagedAt: 10,
  },
  {
    why: "the consumer is paused for an hour, and SQS reports nothing of the first quarter",
    incident: minutesOf(HOUR, (minute) =>
      minute < 15 ? {} : { visible: 100 * minute, deleted: 0, age: 60 * minute },
    ),
    pagedAt: 15,
  },
  {
    why: "the consumer dies at its start for an hour",
    incident: minutesOf(HOUR, (minute) => ({
      ...(minute % 6 === 0 ? { visible: 50, deleted: 0, age: 60 * minute } : hidden(50)),
      errors: 1,
    })),
    pagedAt: 9,
  },
  {
    why: "publishers' clocks are an hour ahead: the ledger's age stays 0, SQS's counts",
    incident: minutesOf(HOUR, (minute) => ({
      ...busy,
      age: 60 * minute,
      snapshot: { retryingAge: 0 },
    })),
    pagedAt: 10,
  },
  {
    why: "a publisher's clock is an hour behind: its record is old as soon as it fails",
    incident: minutesOf(HOUR, (minute) => ({ ...busy, snapshot: { retryingAge: 3600 + minute } })),
    pagedAt: 0,
  },
  {
    why: "three records in a row kill the process, each received every six minutes",
    incident: minutesOf(3 * KILLING_MINUTES, (minute) => killing(minute)),
    pagedAt: 9,
  },
];

test.each(HISTORIES)("pages once, at minute $pagedAt, when $why", ({ incident, pagedAt }) => {
  const minutes = [...lasting(10, busy), ...incident, ...AFTERWARDS];
  expect(changesOf("page", minutes)).toEqual([
    { minute: 10 + pagedAt, state: "ALARM" },
    { minute: expect.any(Number), state: "OK" },
  ]);
});

test.each(HISTORIES)("is no later than the policy when $why", ({ incident }) => {
  const minutes = [...lasting(10, busy), ...incident, ...AFTERWARDS];
  const states = statesThrough(watched, minutes);
  const byPolicy = minutes.findIndex((minute) => levelBy(minute) === "page");
  const byAlarms = states.findIndex(({ page }) => page === "ALARM");
  expect(byAlarms).toBeLessThanOrEqual(byPolicy);
});

test("is never below the policy's level, and above it only after the level was reached", () => {
  const minute = fc.record({
    age: fc.constantFrom(0, 60, 119, 120, 599, 600, 3600),
    visible: fc.constantFrom(1, 9999, 10_000),
    deleted: fc.constant(1),
  });
  fc.assert(
    fc.property(fc.array(minute, { minLength: 1, maxLength: 30 }), (minutes) => {
      let highest = 0;
      for (const [index, { page, warn }] of statesThrough(watched, minutes).entries()) {
        const level = RANK[levelBy(minutes[index] ?? {})];
        highest = Math.max(highest, level);
        const shown = Math.max(page === "ALARM" ? 2 : 0, warn === "ALARM" ? 1 : 0);
        expect(shown).toBeGreaterThanOrEqual(level);
        expect(shown).toBeLessThanOrEqual(highest);
      }
    }),
    { numRuns: 60 },
  );
});

test("an incident of an hour pages once, whichever minutes CloudWatch is told nothing of", () => {
  // No more than two minutes in a row: longer silence is the snapshot alarm's.
  const told = fc.array(fc.constantFrom([true], [false, true], [false, false, true]), {
    minLength: HOUR,
    maxLength: HOUR,
  });
  fc.assert(
    fc.property(told, (parts) => {
      const incident = parts
        .flat()
        .slice(0, HOUR)
        .map((isTold, minute): Minute => (isTold ? { ...busy, age: 60 * minute } : BLIND));
      const changes = changesOf("page", [...lasting(10, busy), ...incident, ...AFTERWARDS]);
      expect(changes.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
    }),
    { numRuns: 40 },
  );
});

test.each([
  { why: "it is idle", minutes: lasting(3 * HOUR, quiet) },
  { why: "it reports nothing at all", minutes: lasting(3 * HOUR, {}) },
  {
    why: "a record comes once in a while",
    minutes: minutesOf(3 * HOUR, (minute) =>
      minute % 20 < 2 ? { visible: minute % 2, deleted: minute % 2, age: 1 } : quiet,
    ),
  },
  {
    why: "a handler takes five minutes for each record, and is as fast as they come",
    minutes: minutesOf(3 * HOUR, (minute) => ({
      visible: 0,
      inFlight: 1,
      deleted: minute % 5 === 4 ? 1 : 0,
      age: 60,
    })),
  },
  {
    why: "SQS's numbers come and go",
    minutes: minutesOf(HOUR, (minute) => (minute % 3 === 0 ? BLIND : busy)),
  },
])("tells nobody of a backlog when $why", ({ minutes }) => {
  for (const alarm of ["page", "warn"]) expect(changesOf(alarm, minutes)).toEqual([]);
});

test("a first deploy tells nobody before its first snapshot", () => {
  const minutes: readonly Minute[] = [
    // SQS reports a new queue late; the first call of the snapshot takes a cold start.
    ...lasting(4, { snapshot: "none" }),
    { visible: 0, deleted: 0, snapshot: "none" },
    ...lasting(HOUR, quiet),
  ];
  expect(changesOf("warn", minutes)).toEqual([]);
});

test("a snapshot that never comes warns once, five minutes after SQS knows the queue", () => {
  const minutes: readonly Minute[] = [
    ...lasting(4, { snapshot: "none" }),
    ...lasting(HOUR, { ...quiet, snapshot: "none" }),
    // Nobody looks at the queue any more, so SQS stops to report it.
    ...lasting(HOUR, { snapshot: "none" }),
  ];
  expect(changesOf("warn", minutes)).toEqual([{ minute: 8, state: "ALARM" }]);
});

const RANK: Readonly<Record<AlertLevel, number>> = { ok: 0, warn: 1, page: 2 };

/** All records are out of sight after a failed receive. */
function hidden(records: number): Minute {
  return { visible: 0, inFlight: records, deleted: 0 };
}

/** SQS leaves the killer out of its age. The ledger knows each one from its second receive on, and
 *  it leaves as a letter with the last. */
function killing(minute: number): Minute {
  const since = minute % KILLING_MINUTES;
  const isLetter = minute > 0 && since === 0;
  return {
    ...hidden(5),
    ...(isLetter ? { deleted: 1 } : {}),
    snapshot: since < 6 ? {} : { retryingAge: 60 * minute },
  };
}

/** What the policy says of one minute's numbers. */
function levelBy({
  visible = 0,
  inFlight = 0,
  delayed = 0,
  age = 0,
  snapshot,
}: Minute): AlertLevel {
  const retryingAge = typeof snapshot === "object" ? (snapshot.retryingAge ?? 0) : 0;
  return evaluate(POLICY, {
    count: visible + inFlight + delayed,
    oldestAgeMs: 1000 * Math.max(age, retryingAge),
  });
}

/** When an alarm goes on and off; it is off at first. */
function changesOf(alarm: string, minutes: readonly Minute[]) {
  let before = "OK";
  return statesThrough(watched, minutes).flatMap((states, minute) => {
    const state = states[alarm] ?? "OK";
    if (state === before) return [];
    before = state;
    return [{ minute, state }];
  });
}
