import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { EventSourceMapping } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { OPERATIONS_VARIABLES } from "../lambdas/core/environment.ts";
import { BacklogFunction } from "./backlog-function.ts";
import { type BacklogParts, environmentOf } from "./backlog-parts.ts";
import { letterRights } from "./letter-rights.ts";

export type ReplayProps = BacklogParts & {
  /** The consumer's, which operators pause and resume. */
  readonly mapping: EventSourceMapping;
};

/** The function by which operators act: it sends dead letters back to the source queue, discards and
 *  renews them, and pauses the consumer. It has none of the game's rights: the consumer handles a
 *  replayed record like any other. */
export class Replay extends BacklogFunction {
  constructor(scope: Construct, id: string, props: ReplayProps) {
    const { mapping, ...parts } = props;
    super(scope, id, {
      file: "replay.ts",
      description: `Replays dead letters of the backlog ${parts.settings.name}`,
      timeoutSeconds: parts.settings.replayTimeoutSeconds,
      // A run holds up to 64 MiB of letters, as text in memory twice that and more.
      memoryMiB: 1024,
      environment: {
        ...environmentOf(parts),
        [OPERATIONS_VARIABLES.mapping]: mapping.eventSourceMappingId,
      },
      permissions: permissions(props),
      // A run that failed is for its operator to look at.
      retryAttempts: 0,
    });
  }
}

function permissions({ queues, ledger, mapping }: ReplayProps): readonly PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queues.source.queueArn] }),
    ...letterRights({ queues, ledger }),
    new PolicyStatement({
      actions: ["dynamodb:Query", "dynamodb:Scan"],
      resources: [ledger.openIndexArn],
    }),
    new PolicyStatement({
      actions: ["lambda:UpdateEventSourceMapping"],
      resources: [mapping.eventSourceMappingArn],
    }),
  ];
}
