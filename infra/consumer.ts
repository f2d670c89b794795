import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { EventSourceMapping } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { BacklogFunction, type Network } from "./backlog-function.ts";
import { type BacklogParts, environmentOf } from "./backlog-parts.ts";
import { type GameHandler, gameEnvironment, gamePermissions } from "./game-handler.ts";
import { handlerEntry } from "./handler-entry.ts";

export type ConsumerProps = BacklogParts & {
  readonly handler: GameHandler;
  /** Whether a deploy turns the mapping on or off: off, records are kept until somebody turns it on.
   *  @default - on at first, and then as operators left it */
  readonly enabled?: boolean | undefined;
};

/** The function that drains the source queue through the game's handler, and its mapping. */
export class Consumer extends BacklogFunction {
  /** Operators pause and resume the backlog by it. */
  readonly mapping: EventSourceMapping;

  constructor(scope: Construct, id: string, props: ConsumerProps) {
    const { settings, queues, handler, enabled } = props;
    super(scope, id, {
      file: "consumer.ts",
      description: `Drains the backlog ${settings.name} through the game's handler`,
      timeoutSeconds: settings.consumerTimeoutSeconds,
      memoryMiB: 512,
      aliases: { "#handler": handlerEntry(handler.entry) },
      environment: { ...gameEnvironment(handler), ...environmentOf(props) },
      permissions: [...backlogPermissions(props), ...gamePermissions(handler)],
      network: networkOf(handler),
    });
    for (const table of handler.tables ?? []) table.encryptionKey?.grantEncryptDecrypt(this);
    this.mapping = new EventSourceMapping(this, "Mapping", {
      target: this,
      eventSourceArn: queues.source.queueArn,
      // Stated only where it is asked for: an operator's pause outlives a deploy of something else.
      ...(enabled === undefined ? {} : { enabled }),
      batchSize: settings.batchSize,
      reportBatchItemFailures: true,
      // No batching window: FIFO queues refuse one. No reserved concurrency either: a throttled
      // start costs a receive, and small accounts cannot spare it. AWS takes 2 to 1000 here.
      maxConcurrency: Math.min(1000, Math.max(2, settings.partitions)),
    });
  }
}

/** No SendMessage on the source: a record is never copied to the tail of its own queue. */
function backlogPermissions({ queues, ledger }: BacklogParts): readonly PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: [
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:GetQueueAttributes",
        "sqs:ChangeMessageVisibility",
      ],
      resources: [queues.source.queueArn],
    }),
    new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queues.letters.queueArn] }),
    new PolicyStatement({
      actions: ["dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:UpdateItem"],
      resources: [ledger.tableArn],
    }),
  ];
}

function networkOf({ vpc, securityGroups }: GameHandler): Network | undefined {
  if (vpc === undefined) return undefined;
  return securityGroups === undefined ? { vpc } : { vpc, securityGroups };
}
