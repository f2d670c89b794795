import { Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";

export type AlertTopicsProps = {
  /**
   * Topic that wakes people. Its policy must let CloudWatch publish.
   * @default - a new topic
   */
  readonly pageTopic?: ITopic;
  /**
   * Topic for what can wait until morning. Its policy must let CloudWatch publish.
   * @default - a new topic
   */
  readonly warnTopic?: ITopic;
  /**
   * Addresses that subscribe to pages; each must confirm by the mail that it gets.
   * @default - none
   */
  readonly pageMails?: readonly string[];
  /**
   * Addresses that subscribe to warnings; each must confirm by the mail that it gets.
   * @default - none
   */
  readonly warnMails?: readonly string[];
};

/** Where the alarms speak. */
export class AlertTopics extends Construct {
  readonly page: ITopic;
  readonly warn: ITopic;

  constructor(scope: Construct, id: string, props: AlertTopicsProps) {
    super(scope, id);
    this.page = props.pageTopic ?? alarmTopic(this, "Page");
    this.warn = props.warnTopic ?? alarmTopic(this, "Warn");
    subscribe(this.page, props.pageMails ?? []);
    subscribe(this.warn, props.warnMails ?? []);
  }
}

/** Not encrypted with a key: alarms cannot publish through the AWS managed one, a key of our own
 *  would cost more than the rest at idle, and alarms carry numbers and names, no records.
 *  https://repost.aws/knowledge-center/cloudwatch-receive-sns-for-alarm-trigger */
function alarmTopic(scope: Construct, id: string): Topic {
  const topic = new Topic(scope, id, { enforceSSL: true });
  const { account } = Stack.of(scope);
  // `enforceSSL` puts a policy in place of SNS's own, which had let the account's alarms publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: "AllowAlarms",
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": account } },
    }),
  );
  return topic;
}

function subscribe(topic: ITopic, mails: readonly string[]): void {
  for (const mail of mails) topic.addSubscription(new EmailSubscription(mail));
}
