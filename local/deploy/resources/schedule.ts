import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { arnOf, nameInArn } from "../arn.ts";
import type { Created } from "../created.ts";
import { invokeEvery } from "../invoke-every.ts";
import { physicalName } from "../physical-name.ts";
import { rateSeconds } from "../rate.ts";
import { type ResourceRequest, readProperties } from "../resource.ts";

const targetSchema = v.object({
  Arn: v.pipe(
    v.string(),
    v.check((arn) => arn.includes(":lambda:"), "Expected a function; no other target is served"),
  ),
  Input: v.optional(v.string()),
});

const entries = {
  Name: v.optional(v.string()),
  ScheduleExpression: v.string(),
  State: v.optional(v.picklist(["ENABLED", "DISABLED"]), "ENABLED"),
};

const ruleSchema = v.object({
  ...entries,
  EventPattern: v.optional(v.undefined("is not supported here")),
  Targets: v.optional(v.array(targetSchema), []),
});

const scheduleSchema = v.object({ ...entries, Target: targetSchema });

/** AWS::Events::Rule on a schedule. */
export function createRule(request: ResourceRequest): Created {
  const { Targets, ...rule } = readProperties(ruleSchema, request);
  const name = rule.Name ?? physicalName(request.stack, request.logicalId);
  const arn = arnOf(request.stack, "events", `rule/${name}`);
  start(request, { ...rule, targets: Targets, source: "aws.events", arn });
  return { physicalId: name, attributes: { Arn: arn } };
}

/** AWS::Scheduler::Schedule. */
export function createSchedule(request: ResourceRequest): Created {
  const { Target, ...schedule } = readProperties(scheduleSchema, request);
  const name = schedule.Name ?? physicalName(request.stack, request.logicalId);
  const arn = arnOf(request.stack, "scheduler", `schedule/default/${name}`);
  start(request, { ...schedule, targets: [Target], source: "aws.scheduler", arn });
  return { physicalId: name, attributes: { Arn: arn } };
}

type Schedule = {
  readonly ScheduleExpression: string;
  readonly State: "ENABLED" | "DISABLED";
  readonly targets: readonly v.InferOutput<typeof targetSchema>[];
  readonly source: string;
  readonly arn: string;
};

function start({ stack }: ResourceRequest, schedule: Schedule): void {
  const { cloud } = stack;
  const periodMs = (1000 * rateSeconds(schedule.ScheduleExpression)) / cloud.divisor;
  if (schedule.State === "DISABLED") return;
  for (const { Arn, Input } of schedule.targets) {
    const eventOf = (): unknown =>
      Input === undefined ? scheduledEvent(cloud, schedule) : JSON.parse(Input);
    stack.onStop(invokeEvery(periodMs, () => cloud.lambda.invoke(nameInArn(Arn), eventOf())));
  }
}

/** https://docs.aws.amazon.com/eventbridge/latest/ref/events-ref-scheduled-events.html */
function scheduledEvent(
  { accountId, region }: { readonly accountId: string; readonly region: string },
  { source, arn }: Schedule,
): unknown {
  return {
    version: "0",
    id: randomUUID(),
    "detail-type": "Scheduled Event",
    source,
    account: accountId,
    time: `${new Date().toISOString().slice(0, 19)}Z`,
    region,
    resources: [arn],
    detail: {},
  };
}
