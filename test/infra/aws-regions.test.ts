import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { type IVpc, Vpc } from "aws-cdk-lib/aws-ec2";
import { Topic } from "aws-cdk-lib/aws-sns";
import { expect, test } from "vitest";
import { OrderedBacklog } from "../../infra/ordered-backlog.ts";
import { DEFAULT_HANDLER } from "../../infra/package-root.ts";
import { resourceOf, resourcesOf, testApp } from "./synthesized.ts";

const ACCOUNT = "123456789012";

test.each([
  { region: "cn-north-1", partition: "aws-cn" },
  { region: "eu-central-1", partition: "aws" },
  { region: undefined, partition: undefined },
])("every ARN is of the partition of $region: $partition", ({ region, partition }) => {
  const stack = new Stack(
    testApp(),
    "Game",
    region === undefined ? {} : { env: { account: ACCOUNT, region } },
  );
  const vpc = new Vpc(stack, "Vpc", { natGateways: 0 }) as IVpc;
  new OrderedBacklog(stack, "Backlog", {
    handler: { entry: DEFAULT_HANDLER, vpc },
    encryptTopics: true,
    warnMails: ["warn@example.com"],
  });
  const text = JSON.stringify(Template.fromStack(stack).toJSON());
  const partitions = [...text.matchAll(/arn:([a-z-]+):/g)].map(([, found]) => found);
  expect(new Set(partitions)).toEqual(new Set(partition === undefined ? [] : [partition]));
});

test("two backlogs of one stack have handlers and topics of their own, or share them", () => {
  const stack = new Stack(testApp(), "Game");
  const onCall = new Topic(stack, "OnCall");
  const backlogOf = (name: string, entry: string) =>
    new OrderedBacklog(stack, name, {
      settings: { name },
      handler: { entry, environment: { GAME: name } },
      pageTopic: onCall,
    });
  backlogOf("Raids", "test/cases/witness-handler.ts");
  backlogOf("Shops", DEFAULT_HANDLER);
  const template = Template.fromStack(stack);
  const game = (part: string) =>
    resourceOf(template, "AWS::Lambda::Function", part).Properties.Environment.Variables.GAME;
  expect([game("RaidsConsumer"), game("ShopsConsumer")]).toEqual(["Raids", "Shops"]);
  // The shared one, and one for the warnings of each.
  expect(resourcesOf(template, "AWS::SNS::Topic").size).toBe(3);
  const pages = ["RaidsAlarmsPage", "ShopsAlarmsPage"].map(
    (part) => resourceOf(template, "AWS::CloudWatch::CompositeAlarm", part).Properties.AlarmActions,
  );
  expect(pages).toEqual([[stack.resolve(onCall.topicArn)], [stack.resolve(onCall.topicArn)]]);
});
