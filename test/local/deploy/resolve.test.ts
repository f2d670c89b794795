// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what Fn::Sub takes
import { expect, test } from "vitest";
import { type Names, resolveValue } from "../../../local/deploy/resolve.ts";
import { NO_VALUE } from "../../../local/deploy/template-values.ts";

const REFS: Readonly<Record<string, unknown>> = {
  Queue: "http://sqs/queue",
  Ports: ["80", "443"],
  "AWS::Region": "us-east-1",
  "AWS::NoValue": NO_VALUE,
};

const names: Names = {
  ref(name): unknown {
    if (!Object.hasOwn(REFS, name)) throw new RangeError(`no ${name}`);
    return REFS[name];
  },
  attribute: (logicalId, attribute) => `${logicalId}'s ${attribute}`,
};

test.each([
  { value: { Ref: "Queue" }, result: "http://sqs/queue", why: "a resource" },
  { value: { Ref: "AWS::Region" }, result: "us-east-1", why: "a pseudo parameter" },
  { value: { "Fn::GetAtt": ["Queue", "Arn"] }, result: "Queue's Arn", why: "an attribute" },
  { value: { "Fn::GetAtt": "Queue.Arn" }, result: "Queue's Arn", why: "an attribute by its path" },
  {
    value: { "Fn::GetAtt": ["Nested", "Outputs.Url"] },
    result: "Nested's Outputs.Url",
    why: "an attribute with a dot in its name",
  },
  {
    value: { "Fn::Join": ["-", ["a", 1, true, { Ref: "Queue" }]] },
    result: "a-1-true-http://sqs/queue",
    why: "a text of texts, numbers and functions",
  },
  { value: { "Fn::Join": [",", { Ref: "Ports" }] }, result: "80,443", why: "a list by name" },
  {
    value: { "Fn::Split": ["/", { Ref: "Queue" }] },
    result: ["http:", "", "sqs", "queue"],
    why: "",
  },
  {
    value: { "Fn::Select": ["1", { "Fn::Split": ["-", { Ref: "AWS::Region" }] }] },
    result: "east",
    why: "one of a list",
  },
  {
    value: { "Fn::Sub": "at ${AWS::Region}: ${Queue}, ${Queue.Arn}" },
    result: "at us-east-1: http://sqs/queue, Queue's Arn",
    why: "names within a text",
  },
  { value: { "Fn::Sub": "${!Queue} and $Queue" }, result: "${Queue} and $Queue", why: "no names" },
  {
    value: { "Fn::Sub": ["${Queue} ${x}", { x: { Ref: "AWS::Region" }, Queue: "mine" }] },
    result: "mine us-east-1",
    why: "variables, which hide resources of the same name",
  },
  {
    value: { a: [{ Ref: "AWS::NoValue" }, "b"], c: { Ref: "AWS::NoValue" }, d: null },
    result: { a: ["b"], d: null },
    why: "no value: the property or item is gone",
  },
  { value: { Ref: "Queue", Other: 1 }, result: { Ref: "Queue", Other: 1 }, why: "no function" },
])("resolves $value: $why", ({ value, result }) => {
  expect(resolveValue(value, names)).toEqual(result);
});

test.each([
  { value: { "Fn::ImportValue": "other:Queue" }, error: "Expected no Fn::ImportValue" },
  { value: { "Fn::Cidr": ["10.0.0.0/16", 1, 8] }, error: "got Fn::Cidr" },
  { value: { "Fn::Select": [2, ["a", "b"]] }, error: 'got [2,["a","b"]]' },
  { value: { "Fn::Join": ["", "text"] }, error: 'Expected Fn::Join to have a list, got "text"' },
  {
    value: { "Fn::Join": ["", [{ a: 1 }]] },
    error: 'Expected Fn::Join to have a text, got {"a":1}',
  },
  { value: { "Fn::Join": [""] }, error: "Expected Fn::Join to have two arguments" },
  { value: { "Fn::GetAtt": ["Queue"] }, error: "Expected Fn::GetAtt to have a logical id" },
  { value: { "Fn::Sub": { Ref: "Queue" } }, error: "Expected Fn::Sub to have a text" },
  { value: { deep: [{ Ref: "Nothing" }] }, error: "no Nothing" },
])("refuses $value", ({ value, error }) => {
  expect(() => resolveValue(value, names)).toThrow(error);
});
