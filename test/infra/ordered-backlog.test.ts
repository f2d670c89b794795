import { Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { AttributeType, Table } from "aws-cdk-lib/aws-dynamodb";
import { type IVpc, SecurityGroup, Vpc } from "aws-cdk-lib/aws-ec2";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { beforeEach, expect, test } from "vitest";
import type { GameHandler } from "../../infra/game-handler.ts";
import { OrderedBacklog } from "../../infra/ordered-backlog.ts";
import { DEFAULT_HANDLER } from "../../infra/package-root.ts";
import { Wallet } from "../../infra/wallet.ts";
import { resourceOf, resourcesOf, testApp } from "./synthesized.ts";

let stack: Stack;

beforeEach(() => {
  stack = new Stack(testApp(), "Game");
});

test("a role that is granted publishing may send and read where to", () => {
  const backlog = backlogWith({});
  const server = new Role(stack, "Server", {
    assumedBy: new ServicePrincipal("ec2.amazonaws.com"),
  });
  backlog.grantPublish(server);
  Template.fromStack(stack).hasResourceProperties("AWS::IAM::Policy", {
    Roles: [stack.resolve(server.roleName)],
    PolicyDocument: {
      Statement: [
        Match.objectLike({ Action: "sqs:SendMessage" }),
        Match.objectLike({ Action: "ssm:GetParameter" }),
      ],
    },
  });
});

test("the consumer runs in the handler's network, and may attach itself to it", () => {
  const vpc = new Vpc(stack, "Vpc", { natGateways: 0 }) as IVpc;
  backlogWith({ vpc, securityGroups: [new SecurityGroup(stack, "Group", { vpc })] });
  const template = Template.fromStack(stack);
  const group = resourceOf(template, "AWS::EC2::SecurityGroup", "Group").id;
  const consumer = resourceOf(template, "AWS::Lambda::Function", "Consumer");
  expect(consumer.Properties.VpcConfig.SecurityGroupIds).toEqual([
    { "Fn::GetAtt": [group, "GroupId"] },
  ]);
  expect(actionsOf(template, "Consumer")).toContain("ec2:CreateNetworkInterface");
  expect(actionsOf(template, "Replay")).not.toContain("ec2:CreateNetworkInterface");
});

test("rights, variables and keys of the handler's go to the consumer alone", () => {
  const table = new Table(stack, "Guilds", {
    partitionKey: { name: "pk", type: AttributeType.STRING },
    encryptionKey: new Key(stack, "Key"),
  });
  const mail = new PolicyStatement({
    actions: ["ses:SendEmail"],
    resources: ["arn:aws:ses:us-east-1:123456789012:identity/example.com"],
  });
  backlogWith({ tables: [table], policies: [mail], environment: { SEASON: "9" } });
  const template = Template.fromStack(stack);
  expect(actionsOf(template, "Consumer")).toEqual(
    expect.arrayContaining(["dynamodb:PutItem", "kms:Decrypt", "ses:SendEmail"]),
  );
  for (const part of ["Replay", "Snapshot", "LockFunction"]) {
    expect(actionsOf(template, part).join()).not.toMatch(/PutItem|kms:|ses:/);
  }
  const variables = (part: string) =>
    resourceOf(template, "AWS::Lambda::Function", part).Properties.Environment.Variables;
  expect(variables("Consumer")).toMatchObject({ SEASON: "9" });
  expect(variables("Replay")).not.toHaveProperty("SEASON");
});

test("a handler's variable may not stand in for one of the backlog's", () => {
  expect(() => backlogWith({ environment: { BACKLOG_NAME: "mine" } })).toThrow(
    "Expected the handler's environment to leave variables that begin with BACKLOG_",
  );
});

test("another app can use the wallet's table with a handler of its own", () => {
  backlogWith(new Wallet(stack, "Wallet").openTo({ entry: DEFAULT_HANDLER }));
  const template = Template.fromStack(stack);
  const wallet = resourceOf(template, "AWS::DynamoDB::GlobalTable", "Wallet").id;
  const consumer = resourceOf(template, "AWS::Lambda::Function", "Consumer");
  expect(consumer.Properties.Environment.Variables.WALLET_TABLE).toEqual({ Ref: wallet });
});

test("two backlogs of different names live in one stack", () => {
  backlogWith({}, "raids");
  backlogWith({}, "shops");
  const template = Template.fromStack(stack);
  const names = (type: string, property: string) =>
    [...resourcesOf(template, type).values()].map(({ Properties }) => Properties[property]);
  const fixed = [
    ...names("AWS::SSM::Parameter", "Name"),
    ...names("AWS::CloudWatch::Alarm", "AlarmName"),
    ...names("AWS::CloudWatch::CompositeAlarm", "AlarmName"),
  ];
  expect(new Set(fixed).size).toBe(2 * (2 + 9 + 2));
});

function backlogWith(handler: Partial<GameHandler>, name = "backlog"): OrderedBacklog {
  return new OrderedBacklog(stack, `Backlog-${name}`, {
    settings: { name },
    handler: { entry: DEFAULT_HANDLER, ...handler },
  });
}

function actionsOf(template: Template, part: string): readonly string[] {
  const policy = resourceOf(template, "AWS::IAM::Policy", `${part}Role`);
  return policy.Properties.PolicyDocument.Statement.flatMap(
    ({ Action }: { readonly Action: string | readonly string[] }) => Action,
  );
}
