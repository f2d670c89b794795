import { serveJson } from "../http/aws-json.ts";
import type { ListenOptions, LocalServer } from "../http/server.ts";
import { alarmOperations } from "./alarm-operations.ts";
import { createAlarmRegistry } from "./alarm-registry.ts";
import type { StateChange } from "./alarm-transitions.ts";
import { metricsOfLine } from "./embedded-metric-format.ts";
import { metricOperations } from "./metric-operations.ts";
import { createMetricStore, type MetricDatum } from "./metric-store.ts";
import type { AlarmState } from "./missing-data.ts";
import { withValidationErrors } from "./request.ts";
import { minuteMsOf } from "./time-grid.ts";

export type CloudWatchOptions = ListenOptions & {
  /** How much faster than on AWS every period runs, 1 and up; timestamps stay real. @default 1 */
  readonly divisor?: number;
  /** Epoch milliseconds. @default Date.now */
  readonly now?: () => number;
  readonly onStateChange?: (change: StateChange) => void;
  /** What an alarm's name follows in its ARN. @default an account of zeros in us-east-1 */
  readonly alarmArnPrefix?: string;
};

/** The embedded CloudWatch: the SDK's operations by HTTP, and the same without. */
export type CloudWatch = LocalServer & {
  record(datum: MetricDatum): void;
  /** Records the metrics of a log line in embedded metric format; any other line is passed over. */
  ingestLine(line: string): void;
  /** Properties of AWS::CloudWatch::Alarm with intrinsics resolved. @throws AlarmPropertiesError */
  putAlarm(properties: unknown): void;
  /** Properties of AWS::CloudWatch::CompositeAlarm with intrinsics resolved; the alarms that its
   *  rule names must have been put before. @throws AlarmPropertiesError or CompositeRuleError */
  putComposite(properties: unknown): void;
  /** Undefined if there is no such alarm. */
  stateOf(alarmName: string): AlarmState | undefined;
  /** Evaluates all alarms now; it also happens by itself once a CloudWatch minute. */
  evaluate(): void;
};

const ARN_PREFIX = "arn:aws:cloudwatch:us-east-1:000000000000:alarm:";

/** Starts an embedded CloudWatch on loopback. Its timer does not keep the process alive. */
export async function startCloudWatch(options: CloudWatchOptions = {}): Promise<CloudWatch> {
  const { divisor = 1, now = Date.now, alarmArnPrefix = ARN_PREFIX } = options;
  const store = createMetricStore({ divisor });
  const registry = createAlarmRegistry(store, options.onStateChange);
  const operations = withValidationErrors({
    ...metricOperations(store, now),
    ...alarmOperations(registry, now, alarmArnPrefix),
  });
  const server = await serveJson({ version: "1.0", operations }, options);
  const evaluate = (): void => {
    store.prune(now());
    registry.evaluate(now());
  };
  const timer = setInterval(evaluate, minuteMsOf(divisor)).unref();
  return {
    ...server,
    close(): Promise<void> {
      clearInterval(timer);
      return server.close();
    },
    record: (datum) => store.record(datum),
    ingestLine(line): void {
      for (const datum of metricsOfLine(line)) store.record(datum);
    },
    putAlarm: (properties) => registry.putAlarm(properties, now()),
    putComposite: (properties) => registry.putComposite(properties, now()),
    stateOf: (alarmName) => registry.get(alarmName)?.state,
    evaluate,
  };
}
