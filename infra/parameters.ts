import { Stack } from "aws-cdk-lib";
import { StringParameter } from "aws-cdk-lib/aws-ssm";
import { Construct } from "constructs";
import { alertPolicyOf } from "../lambdas/core/alert-policy.ts";
import { PARTITION_HASH, WIRE_VERSION } from "../lambdas/core/limits.ts";
import { alarmName } from "./alarms/alarm-text.ts";
import type { BacklogParts } from "./backlog-parts.ts";
import type { Consumer } from "./consumer.ts";
import type { Payload } from "./payload.ts";
import type { Replay } from "./replay.ts";
import type { Snapshot } from "./snapshot.ts";

export type ParametersProps = BacklogParts & {
  readonly consumer: Consumer;
  readonly replay: Replay;
  readonly payload: Payload;
  readonly snapshot: Snapshot;
};

/** What publishers and operators' tools read instead of being configured. Values are JSON. */
export class Parameters extends Construct {
  /** `/backlogorder/<name>`, for publishers. */
  readonly publishing: StringParameter;
  /** `/backlogorder/<name>/operations`, for operators' tools. */
  readonly operations: StringParameter;

  constructor(scope: Construct, id: string, props: ParametersProps) {
    super(scope, id);
    const { settings, queues, ledger, consumer, replay, payload, snapshot } = props;
    const { name, partitions, maxAttempts } = settings;
    const stack = Stack.of(this);
    this.publishing = new StringParameter(this, "Publishing", {
      parameterName: `/backlogorder/${name}`,
      description: `Where and how to publish to the backlog ${name}`,
      stringValue: stack.toJsonString({
        wire: WIRE_VERSION,
        queueUrl: queues.source.queueUrl,
        partitions,
        hash: PARTITION_HASH,
      }),
    });
    this.operations = new StringParameter(this, "Operations", {
      parameterName: `/backlogorder/${name}/operations`,
      description: `What operators' tools need of the backlog ${name}`,
      stringValue: stack.toJsonString({
        sourceUrl: queues.source.queueUrl,
        letterQueueUrl: queues.letters.queueUrl,
        ledgerTable: ledger.tableName,
        consumer: consumer.functionName,
        replay: replay.functionName,
        payload: payload.functionName,
        snapshot: snapshot.functionName,
        mapping: consumer.mapping.eventSourceMappingId,
        policy: alertPolicyOf(settings),
        partitions,
        maxAttempts,
        backoff: {
          baseSeconds: settings.backoffBaseSeconds,
          capSeconds: settings.backoffCapSeconds,
        },
        replayLimit: settings.replayLimit,
        pageAlarm: alarmName(name, "page"),
        warnAlarm: alarmName(name, "warn"),
      }),
    });
  }
}
