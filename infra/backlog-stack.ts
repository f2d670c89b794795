import { resolve } from "node:path";
import { CfnOutput, Stack } from "aws-cdk-lib";
import { Table, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { settingsOf } from "../lambdas/core/settings.ts";
import type { AlertTopicsProps } from "./alarms/alert-topics.ts";
import type { AppSettings } from "./app-settings.ts";
import type { GameHandler } from "./game-handler.ts";
import { generationName } from "./generation.ts";
import { OrderedBacklog } from "./ordered-backlog.ts";
import { DEFAULT_HANDLER } from "./package-root.ts";
import { Wallet } from "./wallet.ts";

/**
 * The app's one stack, `Backlogorder-<name>`. The example's wallet is part of it only with the
 * example's handler.
 * @throws RangeError when the settings do not hold together or the handler's file does not exist.
 */
export class BacklogStack extends Stack {
  readonly backlog: OrderedBacklog;

  constructor(scope: Construct, app: AppSettings) {
    const name = generationName(settingsOf(app.settings).name, app.generation);
    super(scope, `Backlogorder-${name}`, {
      description: `Ordered, replayable backlog ${name}`,
      // A third of its bytes, of which CloudFormation takes a million.
      suppressTemplateIndentation: true,
    });
    this.backlog = new OrderedBacklog(this, "Backlog", {
      settings: app.settings,
      generation: app.generation,
      ...(app.drainFirst === undefined ? {} : { drainFirst: app.drainFirst }),
      handler: this.#handler(app),
      ...this.#alerts(app),
      ...(app.runbook === undefined ? {} : { runbook: app.runbook }),
      ...(app.dashboard === undefined ? {} : { dashboard: app.dashboard }),
      ...(app.allowEdit === undefined ? {} : { allowEdit: app.allowEdit }),
      ...(app.importing === undefined ? {} : { importing: app.importing }),
    });
    this.#outputs(this.backlog);
  }

  #handler({ handler, handlerTables }: AppSettings): GameHandler {
    const tables = handlerTables.map((name) =>
      Table.fromTableName(this, `GameTable-${name}`, name),
    );
    if (handler !== undefined && resolve(handler) !== DEFAULT_HANDLER) {
      return { entry: handler, tables };
    }
    return new Wallet(this, "Wallet").openTo({ entry: DEFAULT_HANDLER, tables });
  }

  #alerts(app: AppSettings): AlertTopicsProps {
    const { pageMails, warnMails, pageTopicArn, warnTopicArn, encryptTopics = false } = app;
    const topic = (id: string, arn: string): ITopic => Topic.fromTopicArn(this, id, arn);
    return {
      pageMails,
      warnMails,
      encryptTopics,
      ...(pageTopicArn === undefined ? {} : { pageTopic: topic("PageTopic", pageTopicArn) }),
      ...(warnTopicArn === undefined ? {} : { warnTopic: topic("WarnTopic", warnTopicArn) }),
    };
  }

  #outputs(backlog: OrderedBacklog): void {
    const { sourceQueue, letterQueue, ledger, consumer, replay, publisherPolicy } = backlog;
    const { viewer, operator, admin } = backlog.operatorPolicies;
    this.#output("SourceQueueUrl", sourceQueue.queueUrl, "Publishers send here");
    this.#output("LetterQueueUrl", letterQueue.queueUrl, "Dead letters wait here");
    this.#output("LedgerTableName", ledger.tableName, "Knows what was applied");
    this.#output("PublisherPolicyArn", publisherPolicy.managedPolicyArn, "Attach it to publishers");
    this.#output("ViewerPolicyArn", viewer.managedPolicyArn, "Attach it to who may look");
    this.#output("OperatorPolicyArn", operator.managedPolicyArn, "Attach it to who may replay");
    this.#output("AdminPolicyArn", admin.managedPolicyArn, "Attach it to who may see payloads");
    this.#output("ConsumerFunctionName", consumer.functionName, "Drains the backlog");
    this.#output("ReplayFunctionName", replay.functionName, "Replays dead letters");
    this.#output(
      "ReplayDryRun",
      `aws lambda invoke --function-name ${replay.functionName} --cli-binary-format raw-in-base64-out --cli-read-timeout 0 --payload '{"dryRun":true}' /dev/stdout`,
      "Says what a replay would do; without dryRun it does it",
    );
    this.#output("KeptByDestroy", this.#stores().join(" "), "cdk destroy leaves these");
  }

  /** Names of all queues and tables, none of which goes with the stack. */
  #stores(): readonly string[] {
    return this.node.findAll().flatMap((construct) => {
      if (construct instanceof Queue) return [construct.queueUrl];
      return construct instanceof TableV2 ? [construct.tableName] : [];
    });
  }

  #output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description });
  }
}
