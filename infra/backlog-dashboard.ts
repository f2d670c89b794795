import { Duration } from "aws-cdk-lib";
import {
  AlarmStatusWidget,
  CustomWidget,
  Dashboard,
  GraphWidget,
  type GraphWidgetProps,
  type HorizontalAnnotation,
  type IAlarm,
  type Metric,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import type { AlertPolicy } from "../lambdas/core/alert-policy.ts";
import {
  consumerMetric,
  letterCount,
  oldestAge,
  recordCount,
  snapshotMetric,
} from "./alarms/backlog-metrics.ts";
import { pageBeforeExpirySeconds } from "./alarms/letter-alarms.ts";
import type { BacklogParts } from "./backlog-parts.ts";
import type { Consumer } from "./consumer.ts";
import type { Replay } from "./replay.ts";
import { Widget } from "./widget.ts";

export type BacklogDashboardProps = BacklogParts & {
  readonly policy: AlertPolicy;
  readonly consumer: Consumer;
  /** What the widget's buttons call. */
  readonly replay: Replay;
  /** All alarms of the backlog, the composites first. */
  readonly alarms: readonly IAlarm[];
};

const PERIOD = Duration.minutes(1);

/** One dashboard, `backlogorder-<name>`: how much waits and for how long, what becomes of it, and how
 *  the consumer, the ledger and the dead letters are. */
export class BacklogDashboard extends Dashboard {
  /** Whoever looks at the dashboard needs the right to invoke it. */
  readonly widget: Widget;

  constructor(scope: Construct, id: string, props: BacklogDashboardProps) {
    super(scope, id, { dashboardName: `backlogorder-${props.settings.name}` });
    this.widget = new Widget(this, "Widget", { ...props, replayArn: props.replay.functionArn });
    this.addWidgets(
      new AlarmStatusWidget({
        title: `Alarms of ${props.settings.name}`,
        alarms: [...props.alarms],
        ...{ width: 24, height: 3 },
      }),
    );
    this.addWidgets(waiting(props), oldest(props), outcomes(props));
    this.addWidgets(deliveryAge(props), failures(props), duration(props));
    this.addWidgets(concurrency(props), ledgerThrottles(props), letters(props));
    this.addWidgets(
      new CustomWidget({
        title: "Who is blocked, and dead letters by reason",
        functionArn: this.widget.functionArn,
        ...{ width: 24, height: 10 },
        // It shows now, whatever time range the graphs show.
        updateOnTimeRangeChange: false,
        updateOnResize: false,
      }),
    );
  }
}

function graph(title: string, props: GraphWidgetProps): GraphWidget {
  return new GraphWidget({ title, width: 8, height: 6, period: PERIOD, ...props });
}

function waiting({ settings, queues, policy }: BacklogDashboardProps): GraphWidget {
  const bytes = snapshotMetric(settings.name, "bytes", "Maximum");
  return graph("Waiting records and their bytes (estimated)", {
    left: [recordCount(settings.name, queues.source)],
    right: [bytes.with({ label: "Bytes" })],
    leftYAxis: { min: 0 },
    leftAnnotations: lines([["warns", policy.maxCount]]),
  });
}

function oldest({ settings, queues, policy }: BacklogDashboardProps): GraphWidget {
  return graph("Age of the oldest record, seconds", {
    left: [oldestAge(settings.name, queues.source)],
    leftYAxis: { min: 0 },
    leftAnnotations: lines([
      ["warns", policy.warnAgeMs / 1000],
      ["pages", policy.pageAgeMs / 1000],
    ]),
  });
}

function outcomes({ settings: { name } }: BacklogDashboardProps): GraphWidget {
  return graph("What becomes of records, per minute", {
    left: [
      consumerMetric(name, "delivered", "Sum").with({ label: "Delivered" }),
      consumerMetric(name, "retried", "Sum").with({ label: "Retried" }),
      consumerMetric(name, "deadLettered", "Sum").with({ label: "Dead-lettered" }),
      consumerMetric(name, "infrastructureFailures", "Sum").with({ label: "Not their fault" }),
    ],
    leftYAxis: { min: 0 },
  });
}

function deliveryAge({ settings: { name } }: BacklogDashboardProps): GraphWidget {
  return graph("From publish to success, milliseconds", {
    left: [
      consumerMetric(name, "deliveryAge", "p50").with({ label: "p50" }),
      consumerMetric(name, "deliveryAge", "p99").with({ label: "p99" }),
    ],
    leftYAxis: { min: 0 },
  });
}

function failures({ consumer }: BacklogDashboardProps): GraphWidget {
  return graph("Consumer: invocations that failed as a whole, or were throttled", {
    left: [
      consumer.metricErrors({ period: PERIOD, label: "Errors" }),
      consumer.metricThrottles({ period: PERIOD, label: "Throttles" }),
    ],
    leftYAxis: { min: 0 },
  });
}

function duration({ consumer, settings }: BacklogDashboardProps): GraphWidget {
  const metric = (statistic: string): Metric =>
    consumer.metricDuration({ period: PERIOD, statistic, label: statistic });
  return graph("Consumer: duration of a batch, milliseconds", {
    left: [metric("p50"), metric("p99"), metric("Maximum")],
    leftYAxis: { min: 0 },
    leftAnnotations: lines([["time-out", 1000 * settings.consumerTimeoutSeconds]]),
  });
}

function concurrency({ consumer }: BacklogDashboardProps): GraphWidget {
  const running = consumer.metric("ConcurrentExecutions", { period: PERIOD, statistic: "Maximum" });
  return graph("Consumer: batches at once", {
    left: [running.with({ label: "At once" })],
    right: [consumer.metricInvocations({ period: PERIOD, label: "Invocations" })],
    leftYAxis: { min: 0 },
  });
}

function ledgerThrottles({ ledger }: BacklogDashboardProps): GraphWidget {
  const metric = (name: string, label: string): Metric =>
    ledger.metric(name, { period: PERIOD, statistic: "Sum", label });
  return graph("Ledger: throttled requests", {
    left: [metric("ReadThrottleEvents", "Reads"), metric("WriteThrottleEvents", "Writes")],
    leftYAxis: { min: 0 },
  });
}

function letters({ settings, queues }: BacklogDashboardProps): GraphWidget {
  const expiry = snapshotMetric(settings.name, "nearestExpiry", "Minimum");
  const pages = pageBeforeExpirySeconds(settings.letterRetentionSeconds);
  return graph("Dead letters, and seconds until the first is deleted", {
    left: [letterCount(settings.name, queues.letters)],
    right: [expiry.with({ label: "Seconds left" })],
    leftYAxis: { min: 0 },
    rightAnnotations: lines([["pages", pages]]),
  });
}

/** Lines of the policy; 0 or less is off and gives none. */
function lines(values: readonly (readonly [string, number])[]): HorizontalAnnotation[] {
  return values.filter(([, value]) => value > 0).map(([label, value]) => ({ label, value }));
}
