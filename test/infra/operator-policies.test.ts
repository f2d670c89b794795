import { expect, test } from "vitest";
import { resourceOf, resourcesOf, synthesize } from "./synthesized.ts";

type Statement = { readonly Action: string | readonly string[]; readonly Resource: unknown };

/** Without the dashboard, whose widget a viewer calls too. */
const template = synthesize({ dashboard: false });
const functionId = (part: string) => resourceOf(template, "AWS::Lambda::Function", part).id;

/** Each action with its resources, one line each. */
function rightsOf(policy: string): readonly string[] {
  const { Properties } = resourceOf(template, "AWS::IAM::ManagedPolicy", `Operators${policy}`);
  return (Properties.PolicyDocument.Statement as Statement[]).flatMap(({ Action, Resource }) =>
    [Action]
      .flat()
      .flatMap((action) =>
        [Resource].flat().map((resource) => `${action} ${JSON.stringify(resource)}`),
      ),
  );
}

const actionsOf = (policy: string) =>
  [...new Set(rightsOf(policy).map((right) => right.split(" ")[0]))].toSorted();

const LOOKING = [
  "cloudwatch:DescribeAlarms",
  "cloudwatch:GetMetricData",
  "dynamodb:BatchGetItem",
  "dynamodb:GetItem",
  "dynamodb:Query",
  "dynamodb:Scan",
  "lambda:GetEventSourceMapping",
  "sqs:GetQueueAttributes",
  "ssm:GetParameter",
  "ssm:GetParametersByPath",
];

test("a viewer reads the ledger, counts, metrics and parameters, and no message", () => {
  expect(actionsOf("Viewer")).toEqual(LOOKING);
});

test("an operator also invokes the replay function, and nothing else", () => {
  const more = rightsOf("Operator").filter((right) => !rightsOf("Viewer").includes(right));
  expect(more).toEqual([
    `lambda:InvokeFunction ${JSON.stringify({ "Fn::GetAtt": [functionId("Replay"), "Arn"] })}`,
  ]);
});

test("an admin also invokes the payload function, and nothing else", () => {
  const more = rightsOf("Admin").filter((right) => !rightsOf("Operator").includes(right));
  expect(more).toEqual([
    `lambda:InvokeFunction ${JSON.stringify({ "Fn::GetAtt": [functionId("Payload"), "Arn"] })}`,
  ]);
});

test("each policy holds all rights of the one before it", () => {
  expect(rightsOf("Operator")).toEqual(expect.arrayContaining([...rightsOf("Viewer")]));
  expect(rightsOf("Admin")).toEqual(expect.arrayContaining([...rightsOf("Operator")]));
});

test("only reading metrics and alarms is granted on everything", () => {
  const unbounded = rightsOf("Admin").filter((right) => right.endsWith(' "*"'));
  expect(unbounded.toSorted()).toEqual([
    'cloudwatch:DescribeAlarms "*"',
    'cloudwatch:GetMetricData "*"',
  ]);
});

test("nobody has a policy until somebody attaches it", () => {
  for (const policy of ["Viewer", "Operator", "Admin"]) {
    const { Properties } = resourceOf(template, "AWS::IAM::ManagedPolicy", `Operators${policy}`);
    expect(Properties).not.toHaveProperty("Roles");
    expect(Properties).not.toHaveProperty("Users");
  }
});

test.each([
  { given: {}, value: "false" },
  { given: { allowEdit: "true" }, value: "true" },
  { given: { allowEdit: false }, value: "false" },
])("the payload function edits with $given: $value", ({ given, value }) => {
  const [payload] = [...resourcesOf(synthesize(given), "AWS::Lambda::Function")].filter(([id]) =>
    id.includes("Payload"),
  );
  expect(payload?.[1].Properties.Environment.Variables.BACKLOG_ALLOW_EDIT).toBe(value);
});
