import { type CloudWatchClient, DescribeAlarmsCommand } from "@aws-sdk/client-cloudwatch";
import type { BacklogLocation } from "../backlog-location.ts";

/** What CloudWatch says of an alarm; `unknown` where there is none, or it may not be asked. */
export type AlarmState = {
  readonly alarm: string;
  readonly state: "ok" | "alarm" | "insufficient-data" | "unknown";
  readonly sinceMs: number | undefined;
};

/**
 * States of the two alarms that send messages. They may differ from the verdict: they also cover
 * letters, their expiry and a consumer that stands still, and lag behind a minute or more.
 * @throws where CloudWatch fails otherwise than by refusing access.
 */
export async function readAlarmStates(
  client: CloudWatchClient,
  { pageAlarm, warnAlarm }: Pick<BacklogLocation, "pageAlarm" | "warnAlarm">,
): Promise<{ readonly page: AlarmState; readonly warn: AlarmState }> {
  const found = await describe(client, [pageAlarm, warnAlarm]);
  const stateOf = (alarm: string): AlarmState =>
    found.find((each) => each.alarm === alarm) ?? { alarm, state: "unknown", sinceMs: undefined };
  return { page: stateOf(pageAlarm), warn: stateOf(warnAlarm) };
}

const STATES = { OK: "ok", ALARM: "alarm", INSUFFICIENT_DATA: "insufficient-data" } as const;

async function describe(
  client: CloudWatchClient,
  names: readonly string[],
): Promise<readonly AlarmState[]> {
  try {
    const { CompositeAlarms = [] } = await client.send(
      new DescribeAlarmsCommand({ AlarmNames: [...names], AlarmTypes: ["CompositeAlarm"] }),
    );
    return CompositeAlarms.map(
      ({ AlarmName = "", StateValue, StateUpdatedTimestamp, ...alarm }) => ({
        alarm: AlarmName,
        state: StateValue === undefined ? "unknown" : STATES[StateValue],
        sinceMs: (alarm.StateTransitionedTimestamp ?? StateUpdatedTimestamp)?.getTime(),
      }),
    );
  } catch (error) {
    // The verdict does not rest on it, so a role without this one right still gets its answer.
    if (error instanceof Error && error.name.startsWith("AccessDenied")) return [];
    throw error;
  }
}
