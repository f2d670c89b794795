import { RemovalPolicy, Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
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
  /**
   * True = new topics are encrypted with a KMS key of their own, which CloudWatch may use; about a
   * dollar a month. Alarms carry numbers and names, no records.
   * @default false
   */
  readonly encryptTopics?: boolean;
};

/** Where the alarms speak. */
export class AlertTopics extends Construct {
  readonly page: ITopic;
  readonly warn: ITopic;

  constructor(scope: Construct, id: string, props: AlertTopicsProps) {
    super(scope, id);
    const { pageTopic, warnTopic, encryptTopics = false } = props;
    const isNeeded = encryptTopics && (pageTopic === undefined || warnTopic === undefined);
    const key = isNeeded ? alarmKey(this) : undefined;
    this.page = pageTopic ?? alarmTopic(this, "Page", key);
    this.warn = warnTopic ?? alarmTopic(this, "Warn", key);
    subscribe(this.page, props.pageMails ?? []);
    subscribe(this.warn, props.warnMails ?? []);
  }
}

/** A key of our own, as alarms cannot publish through the AWS managed one.
 *  https://repost.aws/knowledge-center/cloudwatch-receive-sns-for-alarm-trigger */
function alarmKey(scope: Construct): Key {
  const key = new Key(scope, "Key", {
    description: "Encrypts the backlog's alarms on their way",
    enableKeyRotation: true,
    // It goes with the topics: nothing that it encrypted is kept.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: "AllowAlarms",
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["kms:Decrypt", "kms:GenerateDataKey*"],
      // In a key's policy, `*` is the key.
      resources: ["*"],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
    }),
  );
  return key;
}

function alarmTopic(scope: Construct, id: string, masterKey: Key | undefined): Topic {
  const topic = new Topic(scope, id, { enforceSSL: true, ...(masterKey && { masterKey }) });
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
