import type { Template } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { resourceOf, resourcesOf, synthesize } from "./synthesized.ts";

type Statement = {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
};

const template = synthesize({ handlerTables: "guilds, shops" });
const source = resourceOf(template, "AWS::SQS::Queue", "Source").id;
const letters = resourceOf(template, "AWS::SQS::Queue", "Letters").id;
const ledger = resourceOf(template, "AWS::DynamoDB::GlobalTable", "Ledger").id;
const wallet = resourceOf(template, "AWS::DynamoDB::GlobalTable", "Wallet").id;

const OPEN_INDEX = { "Fn::Join": ["", [arn(ledger), "/index/open"]] };
const TRACES = ["xray:PutTelemetryRecords *", "xray:PutTraceSegments *"];

test("the consumer may drain, bury and remember, and touch the game's tables", () => {
  expect(rightsOf(template, "Consumer")).toEqual(
    rights(
      [
        arn(source),
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:GetQueueAttributes",
        "sqs:ChangeMessageVisibility",
      ],
      [arn(letters), "sqs:SendMessage"],
      [arn(ledger), "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:UpdateItem"],
      [arn(wallet), ...GAME_ACTIONS],
      [tableNamed("guilds"), ...GAME_ACTIONS],
      [tableNamed("shops"), ...GAME_ACTIONS],
      [logOf("Consumer"), "logs:CreateLogStream", "logs:PutLogEvents"],
    ),
  );
});

test("the replay may move letters, use the ledger and pause the consumer, and has no rights of the game's", () => {
  expect(rightsOf(template, "Replay")).toEqual(
    rights(
      [arn(source), "sqs:SendMessage"],
      [
        arn(letters),
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:ChangeMessageVisibility",
        "sqs:GetQueueAttributes",
        "sqs:SendMessage",
      ],
      [arn(ledger), "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:UpdateItem"],
      [OPEN_INDEX, "dynamodb:Query", "dynamodb:Scan"],
      [mappingArn(), "lambda:UpdateEventSourceMapping"],
      [logOf("Replay"), "logs:CreateLogStream", "logs:PutLogEvents"],
    ),
  );
});

test("the payload's function may open letters and mark them, and not send to the source", () => {
  expect(rightsOf(template, "Payload")).toEqual(
    rights(
      [
        arn(letters),
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:ChangeMessageVisibility",
        "sqs:GetQueueAttributes",
        "sqs:SendMessage",
      ],
      [arn(ledger), "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:UpdateItem"],
      [logOf("Payload"), "logs:CreateLogStream", "logs:PutLogEvents"],
    ),
  );
});

test("the snapshot may look, and at nothing more than queues, index and metrics", () => {
  expect(rightsOf(template, "Snapshot")).toEqual(
    rights(
      [arn(source), "sqs:GetQueueAttributes"],
      [arn(letters), "sqs:GetQueueAttributes"],
      [arn(ledger), "dynamodb:BatchGetItem", "dynamodb:Query"],
      [OPEN_INDEX, "dynamodb:Scan"],
      ["*", "cloudwatch:GetMetricData"],
      [logOf("Snapshot"), "logs:CreateLogStream", "logs:PutLogEvents"],
    ),
  );
});

test("the dashboard's widget may look at letters and ledger, and call nothing", () => {
  expect(rightsOf(template, "DashboardWidget")).toEqual(
    rights(
      [arn(letters), "sqs:GetQueueAttributes"],
      [arn(ledger), "dynamodb:BatchGetItem", "dynamodb:Query"],
      [OPEN_INDEX, "dynamodb:Scan"],
      [logOf("Widget"), "logs:CreateLogStream", "logs:PutLogEvents"],
    ),
  );
});

test("the partition lock may write items of the ledger", () => {
  expect(rightsOf(template, "Lock")).toEqual(
    rights(
      [arn(ledger), "dynamodb:UpdateItem"],
      [logOf("Lock"), "logs:CreateLogStream", "logs:PutLogEvents"],
    ),
  );
});

test("no role has a managed policy, and only tracing and reading metrics know no resource", () => {
  for (const { Properties } of resourcesOf(template, "AWS::IAM::Role").values()) {
    expect(Properties).not.toHaveProperty("ManagedPolicyArns");
  }
  const unbounded = [...resourcesOf(template, "AWS::IAM::Policy").values()]
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement as Statement[])
    .filter(({ Resource }) => JSON.stringify(Resource).includes("*"))
    .flatMap(({ Action }) => Action);
  expect(new Set(unbounded)).toEqual(
    new Set(["cloudwatch:GetMetricData", "xray:PutTelemetryRecords", "xray:PutTraceSegments"]),
  );
});

test("no policy names an action by a wildcard, or forgives by leaving actions out", () => {
  const policies = ["AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"].flatMap((type) => [
    ...resourcesOf(template, type).values(),
  ]);
  const statements: Statement[] = policies.flatMap(
    ({ Properties }) => Properties.PolicyDocument.Statement,
  );
  expect(statements.length).toBeGreaterThan(10);
  for (const statement of statements) {
    expect(statement).not.toHaveProperty("NotAction");
    expect([statement.Action].flat().filter((action) => action.includes("*"))).toEqual([]);
  }
});

test("the consumer cannot send to its own queue, nor the replay touch the game's tables", () => {
  const consumer = rightsOf(template, "Consumer").filter((right) => right.includes(source));
  expect(consumer.length).toBeGreaterThan(0);
  expect(consumer.join()).not.toContain("SendMessage");
  expect(rightsOf(template, "Replay").join()).not.toMatch(`${wallet}|guilds|shops`);
});

test("the publisher's policy sends and reads where to, and nothing else", () => {
  const policy = resourceOf(template, "AWS::IAM::ManagedPolicy", "Publisher");
  const parameter = resourceOf(template, "AWS::SSM::Parameter", "Publishing").id;
  const statements: Statement[] = policy.Properties.PolicyDocument.Statement;
  expect(statements.map(({ Action }) => Action)).toEqual(["sqs:SendMessage", "ssm:GetParameter"]);
  expect(statements[0]?.Resource).toEqual(arn(source));
  expect(JSON.stringify(statements[1]?.Resource)).toContain(`:parameter",{"Ref":"${parameter}"}`);
});

const GAME_ACTIONS = [
  "dynamodb:GetItem",
  "dynamodb:BatchGetItem",
  "dynamodb:Query",
  "dynamodb:PutItem",
  "dynamodb:UpdateItem",
  "dynamodb:DeleteItem",
  "dynamodb:ConditionCheckItem",
];

function arn(id: string): unknown {
  return { "Fn::GetAtt": [id, "Arn"] };
}

function mappingArn(): unknown {
  const { id } = resourceOf(template, "AWS::Lambda::EventSourceMapping", "Mapping");
  const place = [{ Ref: "AWS::Region" }, ":", { Ref: "AWS::AccountId" }];
  const parts = ["arn:", { Ref: "AWS::Partition" }, ":lambda:", ...place];
  return { "Fn::Join": ["", [...parts, ":event-source-mapping:", { Ref: id }]] };
}

function logOf(part: string): unknown {
  return arn(resourceOf(template, "AWS::Logs::LogGroup", part).id);
}

function tableNamed(name: string): unknown {
  const prefix = ["arn:", { Ref: "AWS::Partition" }, ":dynamodb:", { Ref: "AWS::Region" }, ":"];
  return { "Fn::Join": ["", [...prefix, { Ref: "AWS::AccountId" }, `:table/${name}`]] };
}

/** One line for each action on each resource, tracing left out of the expectation. */
function rights(...grants: readonly (readonly [unknown, ...string[]])[]): readonly string[] {
  const lines = grants.flatMap(([resource, ...actions]) =>
    actions.map((action) => `${action} ${nameOf(resource)}`),
  );
  return [...lines, ...TRACES].sort();
}

function rightsOf(from: Template, part: string): readonly string[] {
  const policies = [...resourcesOf(from, "AWS::IAM::Policy")].filter(
    ([id]) =>
      id.includes(`${part}RoleDefaultPolicy`) || id.includes(`${part}FunctionRoleDefaultPolicy`),
  );
  expect(policies).toHaveLength(1);
  const statements: Statement[] = policies.flatMap(
    ([, { Properties }]) => Properties.PolicyDocument.Statement,
  );
  return statements
    .flatMap(({ Effect, Action, Resource }) => {
      expect(Effect).toBe("Allow");
      return [Action]
        .flat()
        .flatMap((action) => [Resource].flat().map((resource) => `${action} ${nameOf(resource)}`));
    })
    .sort();
}

function nameOf(resource: unknown): string {
  return typeof resource === "string" ? resource : JSON.stringify(resource);
}
