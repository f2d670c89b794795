import fc from "fast-check";
import { innocentReceives } from "../../lambdas/core/settings.ts";
import type { Faults } from "./fate.ts";

/** What a handler does with a record until the cause is mended; `times` bounds the first of a pair. */
export type Kind =
  | "ok"
  | "fails"
  | "poison"
  | "poisonError"
  | "refused"
  | "crashes"
  | "killer"
  | "hangs"
  | "stuck";

export type Planned = {
  readonly id: string;
  readonly partition: number;
  readonly kind: Kind;
  /** Calls that go wrong where the kind is `fails`, `crashes` or `hangs`. */
  readonly times: number;
  /** Pause of the partition's publisher before it. */
  readonly gapMs: number;
  /** Published once more with the same id, so long after the first time; 0 = not. */
  readonly againMs: number;
};

export type PlannedReplay = {
  readonly atMs: number;
  /** Its process dies so long after its start. */
  readonly diesAfterMs: number | undefined;
  /** It does not see that another run holds the lease. */
  readonly leaseLost: boolean;
};

export type Scenario = {
  readonly seed: number;
  readonly plan: readonly Planned[];
  readonly batchSize: number;
  readonly maxAttempts: number;
  readonly effects: boolean;
  /** Receives after which SQS moves a message. */
  readonly maxReceiveCount: number;
  readonly mendedAtMs: number;
  readonly replays: readonly PlannedReplay[];
  /** When someone moves letters back by SQS's own redrive. */
  readonly moves: readonly number[];
};

export const NO_FAULTS: Faults = {
  crash: 0,
  refuse: 0,
  lose: 0,
  fail: 0,
  throttle: 0,
  late: 0,
  duplicate: 0,
  loseDelete: 0,
};

export const FAULTS: Faults = {
  crash: 0.002,
  refuse: 0.01,
  lose: 0.01,
  fail: 0.01,
  throttle: 0.02,
  late: 0.02,
  duplicate: 0.01,
  loseDelete: 0.02,
};

/** Share of each kind, in hundredths. */
const SHARES: readonly (readonly [Kind, number])[] = [
  ["ok", 64],
  ["fails", 10],
  ["poison", 7],
  ["poisonError", 3],
  ["refused", 2],
  ["crashes", 6],
  ["killer", 4],
  ["hangs", 2],
  ["stuck", 2],
];

const kind = fc.oneof(
  ...SHARES.map(([arbitrary, weight]) => ({ arbitrary: fc.constant(arbitrary), weight })),
);

const rarely = <T>(arbitrary: fc.Arbitrary<T>, otherwise: T, once: number): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(otherwise), weight: once - 1 }, { arbitrary, weight: 1 });

const planned = fc.record({
  partition: fc.nat(3),
  kind,
  times: fc.integer({ min: 1, max: 4 }),
  gapMs: rarely(fc.nat(6000), 0, 3),
  againMs: rarely(fc.integer({ min: 301_000, max: 500_000 }), 0, 12),
});

const replays = fc.array(
  fc.record({
    atMs: fc.nat(120_000),
    diesAfterMs: rarely(fc.nat(8000), undefined, 3),
    leaseLost: fc.boolean(),
  }),
  { maxLength: 3 },
);

/** Random histories. `disturbed`: with replays and moves in the middle of the traffic. */
export function scenarios(effects: boolean, disturbed: boolean): fc.Arbitrary<Scenario> {
  return fc
    .record({
      seed: fc.noShrink(fc.nat(0x7fffffff)),
      made: fc.array(planned, { minLength: 1, maxLength: 24, size: "max" }),
      partitions: fc.integer({ min: 1, max: 4 }),
      batchSize: fc.integer({ min: 1, max: 10 }),
      maxAttempts: fc.integer({ min: 1, max: 5 }),
      /** SQS moves messages early in some runs, as after an outage of the consumer. */
      outage: disturbed ? rarely(fc.integer({ min: 2, max: 6 }), 0, 5) : fc.constant(0),
      mendedAtMs: fc.nat(90_000),
      replays: disturbed ? replays : fc.constant([]),
      moves: disturbed
        ? rarely(fc.array(fc.nat(90_000), { maxLength: 3 }), [], 3)
        : fc.constant([]),
    })
    .map(({ made, partitions, outage, ...rest }) => ({
      ...rest,
      effects,
      maxReceiveCount: outage || innocentReceives(rest.batchSize, rest.maxAttempts),
      plan: made.map((one, index) => ({
        ...one,
        id: `r${index}`,
        partition: one.partition % partitions,
      })),
    }));
}
