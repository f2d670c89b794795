import { Duration, RemovalPolicy } from "aws-cdk-lib";
import {
  type CfnQueuePolicy,
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
  type QueueProps,
} from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { SQS_LIMITS } from "../lambdas/core/limits.ts";
import type { Settings } from "../lambdas/core/settings.ts";

/**
 * The source queue and its dead-letter queue, both FIFO. Neither has a physical name: they outlive
 * the stack, and a retained queue of a fixed name would block the next deploy.
 */
export class Queues extends Construct {
  /** Publishers send here; one message group for each partition. */
  readonly source: Queue;
  /** Isolated records wait here for an operator. Nothing consumes it by itself. */
  readonly letters: Queue;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    // No redriveAllowPolicy: `byQueue` needs the source's ARN, which needs this queue's.
    this.letters = new Queue(this, "Letters", {
      ...ORDERED,
      retentionPeriod: Duration.seconds(settings.letterRetentionSeconds),
      // A replay may hold a letter for as long as it runs.
      visibilityTimeout: Duration.seconds(settings.replayTimeoutSeconds),
    });
    this.source = new Queue(this, "Source", {
      ...ORDERED,
      retentionPeriod: Duration.seconds(settings.sourceRetentionSeconds),
      visibilityTimeout: Duration.seconds(settings.visibilityTimeoutSeconds),
      // The backstop for records that the consumer never got to see; attempts are the ledger's.
      deadLetterQueue: { queue: this.letters, maxReceiveCount: settings.maxReceiveCount },
    });
    for (const queue of [this.letters, this.source]) keepPolicyOf(queue);
  }
}

/** What a destroy leaves is still reached by TLS only. */
function keepPolicyOf(queue: Queue): void {
  const policy = queue.node.findChild("Policy").node.defaultChild as CfnQueuePolicy;
  policy.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
}

const ORDERED: QueueProps = {
  fifo: true,
  // Equal payloads are not equal events: publishers give each record its own de-duplication id.
  contentBasedDeduplication: false,
  // These two together are what SQS calls high throughput for FIFO queues.
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  maxMessageSizeBytes: SQS_LIMITS.messageBytes,
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
};
