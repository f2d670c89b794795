import {
  Alarm,
  type ComparisonOperator,
  type IMetric,
  type TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import { type AlarmText, alarmName, alarmText } from "./alarm-text.ts";

export type BacklogAlarmProps = AlarmText & {
  readonly metric: IMetric;
  readonly operator: ComparisonOperator;
  readonly threshold: number;
  /** The alarm goes on once this many of the last `ofMinutes` minutes breach. */
  readonly minutes: number;
  readonly ofMinutes: number;
  readonly missing: TreatMissingData;
};

/** One metric alarm of a backlog. It has no actions: the composites speak for all of them. */
export class BacklogAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: BacklogAlarmProps) {
    super(scope, id, {
      alarmName: alarmName(props.backlog, props.alarm),
      alarmDescription: alarmText(props),
      metric: props.metric,
      comparisonOperator: props.operator,
      threshold: props.threshold,
      datapointsToAlarm: props.minutes,
      evaluationPeriods: props.ofMinutes,
      treatMissingData: props.missing,
    });
  }
}
