import type { IGrantable } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { alertPolicyOf } from "../lambdas/core/alert-policy.ts";
import { type Settings, settingsOf } from "../lambdas/core/settings.ts";
import { Alarms } from "./alarms/alarms.ts";
import { AlertTopics, type AlertTopicsProps } from "./alarms/alert-topics.ts";
import type { BacklogParts } from "./backlog-parts.ts";
import { Consumer } from "./consumer.ts";
import type { GameHandler } from "./game-handler.ts";
import { LedgerTable } from "./ledger-table.ts";
import { Parameters } from "./parameters.ts";
import { PartitionLock } from "./partition-lock.ts";
import { PublisherPolicy } from "./publisher-policy.ts";
import { Queues } from "./queues.ts";
import { Replay } from "./replay.ts";
import { Snapshot } from "./snapshot.ts";

export type OrderedBacklogProps = AlertTopicsProps & {
  readonly handler: GameHandler;
  /**
   * Numbers that differ from the defaults. All times are seconds.
   * @default - DEFAULT_SETTINGS of lambdas/core/settings.ts
   */
  readonly settings?: Partial<Settings>;
  /**
   * Address of the runbook that alarms link to; each alarm adds `#` and its section.
   * @default docs/runbook.md
   */
  readonly runbook?: string;
};

/**
 * A backlog that keeps the order of each partition: source queue, consumer with the game's handler,
 * ledger, dead letters and their replay, and the alarms. Several fit in one account when their
 * settings have different names.
 * @throws RangeError when the settings do not hold together or the handler's file does not exist.
 */
export class OrderedBacklog extends Construct {
  readonly settings: Settings;
  readonly sourceQueue: Queues["source"];
  readonly letterQueue: Queues["letters"];
  readonly ledger: LedgerTable;
  readonly consumer: Consumer;
  readonly replay: Replay;
  readonly snapshot: Snapshot;
  readonly topics: AlertTopics;
  readonly alarms: Alarms;
  readonly parameters: Parameters;
  /** Attach it to whatever publishes from outside of this app. */
  readonly publisherPolicy: PublisherPolicy;

  constructor(scope: Construct, id: string, props: OrderedBacklogProps) {
    super(scope, id);
    const settings = settingsOf(props.settings);
    const queues = new Queues(this, "Queues", settings);
    const ledger = new LedgerTable(this, "Ledger");
    const parts: BacklogParts = { settings, queues, ledger };

    this.settings = settings;
    this.sourceQueue = queues.source;
    this.letterQueue = queues.letters;
    this.ledger = ledger;
    this.consumer = new Consumer(this, "Consumer", { ...parts, handler: props.handler });
    this.replay = new Replay(this, "Replay", parts);
    this.snapshot = new Snapshot(this, "Snapshot", parts);
    this.topics = new AlertTopics(this, "Topics", props);
    this.alarms = new Alarms(this, "Alarms", {
      backlog: settings.name,
      policy: alertPolicyOf(settings),
      source: queues.source,
      letters: queues.letters,
      consumer: this.consumer,
      visibilityTimeoutSeconds: settings.visibilityTimeoutSeconds,
      letterRetentionSeconds: settings.letterRetentionSeconds,
      runbook: props.runbook ?? "docs/runbook.md",
      topics: this.topics,
    });
    this.parameters = new Parameters(this, "Parameters", {
      ...parts,
      consumer: this.consumer,
      replay: this.replay,
      snapshot: this.snapshot,
    });
    this.publisherPolicy = new PublisherPolicy(this, "Publisher", {
      source: queues.source,
      parameter: this.parameters.publishing,
      backlog: settings.name,
    });
    this.#lockPartitions();
  }

  /** Lets a role, user or function publish, and read where to. */
  grantPublish(grantee: IGrantable): void {
    this.publisherPolicy.grant(grantee);
  }

  /** Whatever acts on the partition count waits for the lock, so that a deploy with another count
   *  fails before it changes any of them. */
  #lockPartitions(): void {
    const { ledger, settings } = this;
    const lock = new PartitionLock(this, "Lock", { ledger, partitions: settings.partitions });
    for (const part of [this.consumer, this.replay, this.snapshot, this.parameters]) {
      part.node.addDependency(lock);
    }
  }
}
