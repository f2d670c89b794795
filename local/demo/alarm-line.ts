import type { StateChange } from "../cloudwatch/alarm-transitions.ts";
import { nameInArn } from "../deploy/arn.ts";

/**
 * What people read of a change of an alarm: that it rings and which topics are notified, or that it
 * rings no more. An alarm's first look, which finds all well, is no news: undefined.
 */
export function alarmLine({ alarmName, from, to, actions }: StateChange): string | undefined {
  if (to !== "ALARM" && from !== "ALARM") return undefined;
  const notified = actions.length === 0 ? "" : `, notifies ${actions.map(nameInArn).join(", ")}`;
  return `alarm ${alarmName}: ${to}${notified}`;
}
