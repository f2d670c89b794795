/** CloudWatch namespace of everything that the functions emit. */
export const METRIC_NAMESPACE = "Backlogorder";

/** The one dimension of every metric: the backlog's name. */
export const METRIC_DIMENSION = "Backlog";

/** Emitted by the snapshot function once a minute. */
export const SNAPSHOT_METRICS = {
  /** Seconds; age of the oldest record that failed at least once and is not settled; 0 = none. */
  oldestRetryingAge: "OldestRetryingAge",
  /** Records in the source queue: visible, in flight and delayed. */
  count: "Count",
  /** Bytes, estimated: count times the average sent size. */
  bytes: "Bytes",
  /** Dead letters in the dead-letter queue, without those that are discarded. */
  letters: "Letters",
  /** Discarded letters that SQS still keeps. */
  discarded: "Discarded",
  /** Seconds until the first dead letter expires: the whole retention while there is none, absent while
   *  none has a known age. */
  nearestExpiry: "NearestExpiry",
} as const;

/** Emitted by the consumer once an invocation. */
export const CONSUMER_METRICS = {
  /** Records applied, those that an earlier invocation had applied left out. */
  delivered: "Delivered",
  /** Failed attempts after which the record stays at the head of its partition. */
  retried: "Retried",
  deadLettered: "DeadLettered",
  /** Failures that were not the record's: ledger, dead-letter send, throttle. */
  infrastructureFailures: "InfrastructureFailures",
  /** Milliseconds from publish to success. */
  deliveryAge: "DeliveryAge",
} as const;
