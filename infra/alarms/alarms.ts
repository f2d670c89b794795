import { AlarmRule, AlarmState, CompositeAlarm, type IAlarmRule } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { type AlarmSubject, commandFor } from "./alarm-subject.ts";
import { alarmName, alarmText } from "./alarm-text.ts";
import type { BacklogAlarm } from "./backlog-alarm.ts";
import { FunctionAlarms } from "./function-alarms.ts";
import { LetterAlarms } from "./letter-alarms.ts";
import { SizeAlarms } from "./size-alarms.ts";
import { StallAlarm } from "./stall-alarm.ts";

export type AlarmsProps = AlarmSubject & {
  readonly topics: { readonly page: ITopic; readonly warn: ITopic };
};

/** All alarms of a backlog, and the two composites through which they speak. */
export class Alarms extends Construct {
  /** On while any cause to wake somebody is on. */
  readonly page: CompositeAlarm;
  /** On while any cause to warn is on and `page` is not. */
  readonly warn: CompositeAlarm;
  /** The metric alarms that the two speak for. */
  readonly causes: readonly BacklogAlarm[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const size = new SizeAlarms(this, "Size", props);
    const letters = new LetterAlarms(this, "Letters", props);
    const functions = new FunctionAlarms(this, "Functions", props);
    // It counts in pageAge, so it goes off with it.
    const stalled = props.policy.pageAgeMs > 0 ? [new StallAlarm(this, "Stalled", props)] : [];

    const pages = [...size.page, ...stalled, ...letters.page];
    const warns = [...size.warn, ...letters.warn, ...functions.warn];
    this.causes = [...pages, ...warns];

    this.page = this.#composite("Page", props, anyOf(pages));
    const noPage = AlarmRule.not(AlarmRule.fromAlarm(this.page, AlarmState.ALARM));
    this.warn = this.#composite("Warn", props, AlarmRule.allOf(anyOf(warns), noPage));

    this.page.addAlarmAction(new SnsAction(props.topics.page));
    this.page.addOkAction(new SnsAction(props.topics.page));
    // No OK action: a warning also ends by becoming a page, and "OK" would be wrong news then.
    this.warn.addAlarmAction(new SnsAction(props.topics.warn));
  }

  #composite(
    id: "Page" | "Warn",
    { backlog, runbook }: AlarmSubject,
    alarmRule: IAlarmRule,
  ): CompositeAlarm {
    const alarm = id === "Page" ? "page" : "warn";
    return new CompositeAlarm(this, id, {
      compositeAlarmName: alarmName(backlog, alarm),
      alarmDescription: alarmText({
        backlog,
        alarm,
        what: `The backlog ${backlog} ${id === "Page" ? "needs somebody now" : "needs a look"}.`,
        since: "The alarms in its rule say why.",
        run: commandFor(backlog, "status"),
        runbook,
      }),
      alarmRule,
    });
  }
}

function anyOf(alarms: readonly BacklogAlarm[]): IAlarmRule {
  return AlarmRule.anyOf(...alarms.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM)));
}
