import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { BacklogFunction } from "../../infra/backlog-function.ts";
import { OrderedBacklog } from "../../infra/ordered-backlog.ts";
import { actionsInCode } from "./calls-in-code.ts";
import { resourcesOf, testApp } from "./synthesized.ts";

/** A handler that calls no service, so that all rights and calls are the backlog's own. */
const HANDLER = "test/cases/witness-handler.ts";

/** What the code need not ask for: Lambda itself does it with the function's role. */
const BY_LAMBDA = {
  any: ["logs:CreateLogStream", "logs:PutLogEvents"].concat([
    "xray:PutTelemetryRecords",
    "xray:PutTraceSegments",
  ]),
  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  mapping: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
} as const;

/** In the code and not reached: it looks for one letter at a time and never lists. */
const NOT_REACHED: Readonly<Record<string, readonly string[]>> = {
  "payload.ts": ["dynamodb:Scan"],
};

const stack = new Stack(testApp(), "Game");
new OrderedBacklog(stack, "Backlog", { generation: 2, handler: { entry: HANDLER } });
const template = Template.fromStack(stack);
const functions = stack.node.findAll().filter((each) => each instanceof BacklogFunction);

test("every function of the stack is one of the backlog's, and is looked at", () => {
  expect(functions).toHaveLength(resourcesOf(template, "AWS::Lambda::Function").size);
});

test.each(functions.map(({ file, role }) => ({ file, role })))(
  "the role of $file holds each right that its code uses and none beside",
  async ({ file, role }) => {
    const byLambda = file === "consumer.ts" ? BY_LAMBDA.mapping : [];
    const inCode = await actionsInCode(file, HANDLER);
    const reached = inCode.filter((action) => !NOT_REACHED[file]?.includes(action));
    const needed = [...reached, ...byLambda, ...BY_LAMBDA.any];
    expect(actionsOfRole(stack.resolve(role?.roleName))).toEqual([...new Set(needed)].sort());
  },
);

function actionsOfRole(name: unknown): readonly string[] {
  const statements = [...resourcesOf(template, "AWS::IAM::Policy").values()]
    .filter(({ Properties }) => JSON.stringify(Properties.Roles).includes(JSON.stringify(name)))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  return [...new Set(statements.flatMap(({ Action }) => Action))].sort();
}
