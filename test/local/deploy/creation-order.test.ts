// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are what Fn::Sub takes
import { expect, test } from "vitest";
import { creationOrder } from "../../../local/deploy/creation-order.ts";
import { parseTemplate } from "../../../local/deploy/template.ts";

function orderOf(resources: Readonly<Record<string, object>>, leftOut: readonly string[] = []) {
  const typed = Object.entries(resources).map(([id, resource]) => [
    id,
    { Type: "AWS::SQS::Queue", ...resource },
  ]);
  const template = parseTemplate({ Resources: Object.fromEntries(typed) });
  return creationOrder(template, new Set(leftOut)).map(({ logicalId }) => logicalId);
}

test.each([
  { by: { Properties: { a: [{ b: { Ref: "Z" } }] } }, why: "a Ref, however deep" },
  { by: { Properties: { a: { "Fn::GetAtt": ["Z", "Arn"] } } }, why: "an attribute" },
  { by: { Properties: { a: { "Fn::GetAtt": "Z.Arn" } } }, why: "an attribute by its path" },
  { by: { Properties: { a: { "Fn::Sub": "x ${Z} y" } } }, why: "a name within a text" },
  { by: { Properties: { a: { "Fn::Sub": "${Z.Arn}" } } }, why: "an attribute within a text" },
  { by: { Properties: { a: { "Fn::Sub": ["${v}", { v: { Ref: "Z" } }] } } }, why: "a variable" },
  { by: { DependsOn: "Z" }, why: "DependsOn of one" },
  { by: { DependsOn: ["M", "Z"] }, why: "DependsOn of several" },
])("creates a resource behind what it needs by $why", ({ by }) => {
  expect(orderOf({ A: by, M: {}, Z: {} }).indexOf("A")).toBeGreaterThan(
    orderOf({ A: by, M: {}, Z: {} }).indexOf("Z"),
  );
});

test("keeps the template's order where nothing is needed", () => {
  const shadowed = { Properties: { a: { "Fn::Sub": ["${C} ${!D}", { C: "own" }] } } };
  expect(orderOf({ B: {}, A: shadowed, D: {}, C: {} })).toEqual(["B", "A", "D", "C"]);
});

test("creates composite alarms last, as their rules may name alarms by plain text", () => {
  const Type = "AWS::CloudWatch::CompositeAlarm";
  expect(orderOf({ Page: { Type }, Age: { Type: "AWS::CloudWatch::Alarm" } })).toEqual([
    "Age",
    "Page",
  ]);
});

test("names the resources of a circle", () => {
  const resources = {
    Start: { DependsOn: "A" },
    A: { Properties: { b: { Ref: "B" } } },
    B: { Properties: { c: { "Fn::GetAtt": ["C", "Arn"] } } },
    C: { DependsOn: "A" },
  };
  expect(() => orderOf(resources)).toThrow("A -> B -> C -> A");
});

test("refuses a DependsOn of nothing, but not of a resource that is left out", () => {
  const resources = { A: { DependsOn: "B" } };
  expect(() => orderOf(resources)).toThrow(
    "Expected A to depend on resources of the template, got B",
  );
  expect(orderOf(resources, ["B"])).toEqual(["A"]);
});
