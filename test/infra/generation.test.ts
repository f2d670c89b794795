import { expect, test } from "vitest";
import { generationName } from "../../infra/generation.ts";
import { resourceOf, resourcesOf, synthesize } from "./synthesized.ts";

test.each([
  { generation: 1, name: "live" },
  { generation: 2, name: "live-g2" },
  { generation: 12, name: "live-g12" },
])("generation $generation of `live` is the backlog `$name`", ({ generation, name }) => {
  expect(generationName("live", generation)).toBe(name);
});

test("two generations share no name, so that both can be deployed side by side", () => {
  const [first, second] = [1, 2].map((generation) => namesIn(synthesize({ generation })));
  expect(first?.length).toBeGreaterThan(10);
  expect(second).toHaveLength(first?.length ?? 0);
  expect(second?.filter((name) => first?.includes(name))).toEqual([]);
});

test.each([
  { given: {}, enabled: undefined, why: "an operator's pause outlives a deploy" },
  { given: { drainFirst: "true" }, enabled: false, why: "it waits" },
  { given: { generation: 2, drainFirst: true }, enabled: false, why: "it waits for the first" },
  { given: { generation: 2 }, enabled: true, why: "the deploy after the wait turns it on" },
  { given: { generation: 2, drainFirst: false }, enabled: true, why: "it is told to" },
])("with $given the mapping is stated as $enabled: $why", ({ given, enabled }) => {
  const mapping = resourceOf(synthesize(given), "AWS::Lambda::EventSourceMapping", "Mapping");
  expect(mapping.Properties.Enabled).toBe(enabled);
});

test.each([
  { given: { generation: 2 }, check: true, why: "it is to be turned on" },
  { given: { generation: 2, drainFirst: true }, check: false, why: "it stays off" },
  { given: { generation: 2, drainFirst: false }, check: false, why: "somebody knows better" },
])("with $given the mapping waits for a gate that checks: $check, as $why", ({ given, check }) => {
  const template = synthesize({ name: "live", ...given });
  const gate = resourceOf(template, "Custom::BacklogDrained", "DrainGate");
  expect(gate.Properties).toMatchObject({ After: "live", Check: check });
  const mapping = resourceOf(template, "AWS::Lambda::EventSourceMapping", "Mapping");
  expect(mapping.DependsOn).toContain(gate.id);
  // Refused, such a deploy has changed nothing else either.
  for (const { DependsOn } of resourcesOf(template, "AWS::SQS::Queue").values()) {
    expect(DependsOn).toContain(gate.id);
  }
});

test("a third generation waits for the second", () => {
  const template = synthesize({ name: "live", generation: 3 });
  const gate = resourceOf(template, "Custom::BacklogDrained", "DrainGate");
  expect(gate.Properties.After).toBe("live-g2");
});

test("a first generation has nothing to wait for", () => {
  expect(resourcesOf(synthesize(), "Custom::BacklogDrained").size).toBe(0);
});

function namesIn(template: ReturnType<typeof synthesize>): readonly string[] {
  const names = (type: string, property: string) =>
    [...resourcesOf(template, type).values()].map(({ Properties }) => Properties[property]);
  return [
    ...names("AWS::SSM::Parameter", "Name"),
    ...names("AWS::CloudWatch::Alarm", "AlarmName"),
    ...names("AWS::CloudWatch::CompositeAlarm", "AlarmName"),
    ...names("AWS::CloudWatch::Dashboard", "DashboardName"),
  ].filter((name) => name !== undefined);
}
