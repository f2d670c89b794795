/** How a game publishes and what its handler takes. */
export type Load = {
  /** Records published a second, all keys together. */
  readonly ratePerSecond: number;
  /** Time of one handler call, its own waiting included. */
  readonly handlerMs: number;
  readonly skew: Skew;
  /** Players or guilds that publish. */
  readonly keys: number;
  /** Records of one batch at most, 1 to 10. */
  readonly batchSize: number;
  /** Batches handled at once, over all partitions. */
  readonly concurrency: number;
  /** One write of the ledger, which each group of a batch waits for. */
  readonly ledgerMs: number;
  /** Receive, start and delete of a batch. */
  readonly overheadMs: number;
};

/** How unevenly keys publish: key n of a Zipf skew as often as 1 / n^exponent. */
export type Skew =
  | { readonly kind: "uniform" }
  | { readonly kind: "zipf"; readonly exponent: number };

/** What is taken where nothing else is said: a warm Lambda function in one Region. */
export const LOAD_DEFAULTS = {
  skew: { kind: "uniform" },
  keys: 100_000,
  batchSize: 10,
  concurrency: 1000,
  ledgerMs: 5,
  overheadMs: 15,
} as const satisfies Partial<Load>;

/** Milliseconds for which a batch of one group holds it. */
export function batchMs(load: Load, records: number): number {
  return load.overheadMs + load.ledgerMs + records * load.handlerMs;
}
