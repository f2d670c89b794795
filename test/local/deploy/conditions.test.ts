import { expect, test } from "vitest";
import { applyConditions } from "../../../local/deploy/conditions.ts";
import { parseTemplate } from "../../../local/deploy/template.ts";
import { templateValues } from "../../../local/deploy/template-values.ts";

const STACK = {
  stackName: "Game",
  stackId: "arn:aws:cloudformation:us-east-1:000000000000:stack/Game/1",
  region: "us-east-1",
  accountId: "000000000000",
};

function applied(conditions: Readonly<Record<string, unknown>>, given: object = {}) {
  const template = parseTemplate({
    Parameters: { Stage: { Type: "String", Default: "prod" } },
    Conditions: conditions,
    Resources: {},
    ...given,
  });
  return applyConditions(template, templateValues(template, STACK));
}

const IS_PROD = { "Fn::Equals": [{ Ref: "Stage" }, "prod"] };
const IS_CHINA = { "Fn::Equals": [{ Ref: "AWS::Region" }, "cn-north-1"] };

test.each([
  { condition: IS_PROD, holds: true, why: "a parameter's default" },
  { condition: IS_CHINA, holds: false, why: "a pseudo parameter" },
  { condition: { "Fn::Not": [IS_CHINA] }, holds: true, why: "not" },
  { condition: { "Fn::And": [IS_PROD, IS_CHINA] }, holds: false, why: "not all hold" },
  { condition: { "Fn::Or": [IS_PROD, IS_CHINA] }, holds: true, why: "one holds" },
  { condition: { "Fn::Not": [{ Condition: "Prod" }] }, holds: false, why: "another condition" },
])("keeps resources and outputs of $condition: $holds, $why", ({ condition, holds }) => {
  const { Resources, Outputs } = applied(
    { It: condition, Prod: IS_PROD },
    {
      Resources: { Queue: { Type: "AWS::SQS::Queue", Condition: "It" } },
      Outputs: { Url: { Value: "x", Condition: "It" } },
    },
  );
  expect({ queue: "Queue" in Resources, url: "Url" in Outputs }).toEqual({
    queue: holds,
    url: holds,
  });
});

test("puts the branch that holds in the place of Fn::If, one within another included", () => {
  const inner = { "Fn::If": ["China", "never", { Ref: "Stage" }] };
  const Properties = { a: [{ "Fn::If": ["Prod", inner, "never"] }] };
  const { Resources } = applied(
    { Prod: IS_PROD, China: IS_CHINA },
    { Resources: { Queue: { Type: "AWS::SQS::Queue", Properties } } },
  );
  expect(Resources["Queue"]?.Properties).toEqual({ a: [{ Ref: "Stage" }] });
});

test.each([
  { conditions: {}, error: "Expected a condition of the template, got It" },
  { conditions: { It: { Condition: "It" } }, error: "Condition It leads to itself" },
  {
    conditions: { It: { "Fn::Contains": [["a"], "a"] } },
    error: "Expected a condition of Fn::Equals",
  },
  { conditions: { It: { "Fn::Not": [] } }, error: "Expected Fn::Not to have a list of 1" },
  {
    conditions: { It: { "Fn::Equals": [{ Ref: "Queue" }, "a"] } },
    error: "Expected conditions to name parameters, got Queue",
  },
])("refuses $conditions", ({ conditions, error }) => {
  const Resources = { Queue: { Type: "AWS::SQS::Queue", Condition: "It" } };
  expect(() => applied(conditions, { Resources })).toThrow(error);
});

test("refuses a parameter without a default, but not one of the Parameter Store", () => {
  const parameters = (Type: string) => ({ Parameters: { Version: { Type } } });
  expect(() => applied({}, parameters("String"))).toThrow("parameter Version to have a default");
  expect(applied({}, parameters("AWS::SSM::Parameter::Value<String>")).Resources).toEqual({});
});
