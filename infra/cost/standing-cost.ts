import { SNAPSHOT_METRICS } from "../../lambdas/core/metrics.ts";
import { PRICES } from "../../lambdas/core/prices.ts";

/** One line of the monthly bill. */
export type CostLine = {
  readonly what: string;
  /** Dollars a month in us-east-1, free tiers left out. */
  readonly dollars: number;
};

type Resource = { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> };

/** The part of a CloudFormation template that costs are read from. */
export type CostedTemplate = { readonly Resources: Readonly<Record<string, Resource>> };

const MINUTES_PER_MONTH = 30 * 24 * 60;

/** What the snapshot function does once a minute while nothing waits. */
const SNAPSHOT = {
  seconds: 0.2,
  gib: 0.25,
  /** Both queues' attributes. */
  sqsRequests: 2,
  /** The oldest age of both queues. */
  metricsRead: 2,
  /** An empty page of the ledger's index. */
  readUnits: 0.5,
  /** Its measurement and what Lambda adds. */
  logBytes: 1000,
  /** All of them: none is absent while nothing waits. */
  metrics: Object.keys(SNAPSHOT_METRICS).length,
} as const;

/** Long polls of an idle event source mapping: five pollers at most, three polls a minute each.
 *  https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const POLLS_PER_MINUTE = 5 * 3;

/**
 * What a deployed backlog costs a month while no record is published: alarms and dashboard as its
 * template has them, the snapshot's minute, and the polls. What records cost comes on top, and $0.30
 * for each of the consumer's five metrics in a month in which it runs.
 */
export function standingCost({ Resources }: CostedTemplate): readonly CostLine[] {
  const of = (type: string): readonly Resource[] =>
    Object.values(Resources).filter(({ Type }) => Type === type);
  const alarms = of("AWS::CloudWatch::Alarm");
  const watched = alarms.reduce((sum, alarm) => sum + metricsWatched(alarm), 0);
  const composites = of("AWS::CloudWatch::CompositeAlarm").length;
  const dashboards = of("AWS::CloudWatch::Dashboard").length;
  const mappings = of("AWS::Lambda::EventSourceMapping").length;
  const snapshots = of("AWS::Events::Rule").length;
  const keys = of("AWS::KMS::Key").length;
  const lines: readonly CostLine[] = [
    { what: `dashboard: ${dashboards}`, dollars: dashboards * PRICES.dashboard },
    {
      what: `${alarms.length} alarms over ${watched} metrics`,
      dollars: watched * PRICES.alarmMetric,
    },
    { what: `${composites} composite alarms`, dollars: composites * PRICES.compositeAlarm },
    {
      what: `${SNAPSHOT.metrics} metrics of the snapshot`,
      dollars: snapshots * SNAPSHOT.metrics * PRICES.customMetric,
    },
    {
      what: "the snapshot's minute: Lambda, metrics read, queues, index, log, trace",
      dollars: snapshots * MINUTES_PER_MONTH * minuteOfSnapshot(),
    },
    {
      what: "polls of the idle queue, at most",
      dollars: mappings * MINUTES_PER_MONTH * POLLS_PER_MINUTE * PRICES.sqsRequest,
    },
    { what: "key of the topics", dollars: keys * PRICES.key },
  ];
  return lines.filter(({ dollars }) => dollars > 0);
}

/** Sum of the lines, in dollars. */
export function totalOf(lines: readonly CostLine[]): number {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0);
}

function minuteOfSnapshot(): number {
  return (
    PRICES.lambdaRequest +
    SNAPSHOT.seconds * SNAPSHOT.gib * PRICES.lambdaGibSecond +
    SNAPSHOT.sqsRequests * PRICES.sqsRequest +
    SNAPSHOT.metricsRead * PRICES.metricRead +
    SNAPSHOT.readUnits * PRICES.readUnit +
    (SNAPSHOT.logBytes / 1e9) * PRICES.logGb +
    PRICES.trace
  );
}

/** CloudWatch charges an alarm on an expression for each metric in it. */
function metricsWatched({ Properties = {} }: Resource): number {
  const queries = Properties["Metrics"];
  if (!Array.isArray(queries)) return 1;
  return queries.filter((query: object) => "MetricStat" in query).length;
}
