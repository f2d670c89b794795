import type { IGrantable } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { alertPolicyOf } from "../lambdas/core/alert-policy.ts";
import { type Settings, settingsOf } from "../lambdas/core/settings.ts";
import { Alarms } from "./alarms/alarms.ts";
import { AlertTopics, type AlertTopicsProps } from "./alarms/alert-topics.ts";
import { BacklogDashboard } from "./backlog-dashboard.ts";
import type { BacklogParts } from "./backlog-parts.ts";
import { Consumer } from "./consumer.ts";
import { DrainGate } from "./drain-gate.ts";
import type { GameHandler } from "./game-handler.ts";
import { generationName } from "./generation.ts";
import { LedgerTable } from "./ledger-table.ts";
import { OperatorPolicies } from "./operator-policies.ts";
import { Parameters } from "./parameters.ts";
import { PartitionLock } from "./partition-lock.ts";
import { Payload } from "./payload.ts";
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
   * Which backlog of this name it is, from 1. Later ones have another partition count, are called
   * `<name>-g2` and so on, and share nothing with those before (docs/repartition.md).
   * @default 1
   */
  readonly generation?: number;
  /**
   * True while the generation before is still drained: records are taken and kept, in order, but the
   * event source mapping is off. A later deploy without it turns the mapping on, and fails while that
   * generation still holds records or letters; with false it does not ask.
   * @default - the first generation is on, and stays as operators left it; a later one as above
   */
  readonly drainFirst?: boolean;
  /**
   * Address of the runbook that alarms link to; each alarm adds `#` and its section.
   * @default docs/runbook.md
   */
  readonly runbook?: string;
  /**
   * Whether a CloudWatch dashboard `backlogorder-<name>` is part of it; three dollars a month.
   * @default true
   */
  readonly dashboard?: boolean;
  /**
   * Whether administrators may change the payload of a dead letter (`backlogorder letters edit`).
   * @default false
   */
  readonly allowEdit?: boolean;
  /**
   * True for a `cdk import` of queues and tables that a destroy left, and for nothing else: an import
   * refuses a queue that waits for the lock, which it does not know.
   * @default false
   */
  readonly importing?: boolean;
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
  readonly payload: Payload;
  readonly snapshot: Snapshot;
  readonly topics: AlertTopics;
  readonly alarms: Alarms;
  readonly dashboard: BacklogDashboard | undefined;
  readonly parameters: Parameters;
  /** Attach it to whatever publishes from outside of this app. */
  readonly publisherPolicy: PublisherPolicy;
  /** Attach one of them to whoever looks after the backlog. */
  readonly operatorPolicies: OperatorPolicies;

  constructor(scope: Construct, id: string, props: OrderedBacklogProps) {
    super(scope, id);
    const settings = settingsOfGeneration(props);
    const queues = new Queues(this, "Queues", settings);
    const ledger = new LedgerTable(this, "Ledger");
    const parts: BacklogParts = { settings, queues, ledger };

    this.settings = settings;
    this.sourceQueue = queues.source;
    this.letterQueue = queues.letters;
    this.ledger = ledger;
    this.consumer = new Consumer(this, "Consumer", {
      ...parts,
      handler: props.handler,
      enabled: enabledBy(props),
    });
    this.replay = new Replay(this, "Replay", { ...parts, mapping: this.consumer.mapping });
    this.payload = new Payload(this, "Payload", { ...parts, allowEdit: props.allowEdit ?? false });
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
    this.dashboard = props.dashboard === false ? undefined : this.#dashboard(parts);
    this.parameters = new Parameters(this, "Parameters", {
      ...parts,
      consumer: this.consumer,
      replay: this.replay,
      payload: this.payload,
      snapshot: this.snapshot,
    });
    this.operatorPolicies = new OperatorPolicies(this, "Operators", {
      ...parts,
      consumer: this.consumer,
      replay: this.replay,
      payload: this.payload,
      parameters: this.parameters,
      dashboard: this.dashboard,
    });
    this.publisherPolicy = new PublisherPolicy(this, "Publisher", {
      source: queues.source,
      parameter: this.parameters.publishing,
      backlog: settings.name,
    });
    this.#waitForChecks(props);
  }

  /** Lets a role, user or function publish, and read where to. */
  grantPublish(grantee: IGrantable): void {
    this.publisherPolicy.grant(grantee);
  }

  #dashboard(parts: BacklogParts): BacklogDashboard {
    const { consumer, replay, settings, alarms } = this;
    return new BacklogDashboard(this, "Dashboard", {
      ...{ ...parts, consumer, replay },
      policy: alertPolicyOf(settings),
      alarms: [alarms.page, alarms.warn, ...alarms.causes],
    });
  }

  /** A deploy that is refused changes nothing, as all but the ledger, in which the count stands, waits
   *  for the checks: a retention that is lower for a minute deletes records for good. */
  #waitForChecks(props: OrderedBacklogProps): void {
    const { ledger, settings } = this;
    const { partitions, name: backlog } = settings;
    const parts = this.node.children.filter((part) => part !== ledger);
    const lock = new PartitionLock(this, "Lock", { ledger, partitions, backlog });
    const gate = this.#drainGate(props);
    gate?.node.addDependency(lock.check);
    for (const part of parts) {
      if (props.importing === true && part instanceof Queues) continue;
      part.node.addDependency(lock.check);
      if (gate !== undefined) part.node.addDependency(gate.check);
    }
  }

  #drainGate({ settings, generation = 1, drainFirst }: OrderedBacklogProps): DrainGate | undefined {
    if (generation === 1) return undefined;
    return new DrainGate(this, "DrainGate", {
      before: generationName(settingsOf(settings).name, generation - 1),
      check: drainFirst === undefined,
    });
  }
}

/** CloudFormation leaves a mapping as it is where its template stops saying that it is off. */
function enabledBy({ generation = 1, drainFirst }: OrderedBacklogProps): boolean | undefined {
  if (drainFirst === undefined && generation === 1) return undefined;
  return drainFirst !== true;
}

function settingsOfGeneration({ settings, generation = 1 }: OrderedBacklogProps): Settings {
  const { name, ...others } = settingsOf(settings);
  return { name: generationName(name, generation), ...others };
}
