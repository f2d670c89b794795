import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  alarmNameOf,
  alarmsNamedBy,
  holds,
  parseCompositeRule,
} from "../../../local/cloudwatch/composite-rule.ts";
import type { AlarmState } from "../../../local/cloudwatch/missing-data.ts";

const STATES: ReadonlyMap<string, AlarmState> = new Map([
  ["bad", "ALARM"],
  ["good", "OK"],
  ["new", "INSUFFICIENT_DATA"],
  ["page (wallet)", "ALARM"],
]);

function evaluate(rule: string): boolean {
  return holds(parseCompositeRule(rule), (name) => {
    const state = STATES.get(name);
    if (state === undefined) throw new Error(`no alarm ${name}`);
    return state;
  });
}

describe("composite rule", () => {
  it.each([
    ['ALARM("bad")', true],
    ["ALARM(good)", false],
    ["ALARM ( bad )", true],
    ["OK('good')", true],
    ["INSUFFICIENT_DATA(new)", true],
    ['ALARM("page (wallet)")', true],
    ['ALARM("arn:aws:cloudwatch:eu-central-1:123456789012:alarm:bad")', true],
    ["ALARM(arn:aws:cloudwatch:eu-central-1:123456789012:alarm:bad)", true],
    ["TRUE", true],
    ["FALSE", false],
    ["NOT ALARM(good)", true],
    ["NOT NOT FALSE", false],
    ["NOT FALSE AND FALSE", false],
    ["TRUE OR TRUE AND FALSE", true],
    ["(TRUE OR TRUE) AND FALSE", false],
    ["FALSE AND FALSE OR TRUE", true],
    ["NOT(ALARM(bad)AND ALARM(good))", true],
    ['(ALARM("bad") OR ALARM("good")) AND NOT ALARM("new")', true],
    ["  ( ( ALARM(bad) ) )\n", true],
  ])("%s is %s", (rule, expected) => {
    expect(evaluate(rule)).toBe(expected);
  });

  it.each([
    ["", "got `the end`"],
    ["ALARM()", "got `ALARM()`"],
    ["ALARM(bad", "got `ALARM(bad`"],
    ["bad", "got `bad`"],
    ["TRUE TRUE", "Expected AND, OR or the end"],
    ["TRUE AND", "Expected a condition"],
    ["(TRUE", "Expected `)`"],
    ["TRUE)", "Expected AND, OR or the end"],
    ["TRUEFALSE", "got `TRUEFALSE`"],
    ["AT_LEAST(1, ALARM, (bad, good))", "AT_LEAST"],
    [Array(400).fill("TRUE").join(" OR "), "500 at most"],
  ])("refuses %s", (rule, message) => {
    expect(() => parseCompositeRule(rule)).toThrow(message);
  });

  it("names every alarm that it depends on", () => {
    const rule = parseCompositeRule('NOT (ALARM("a") OR OK(b)) AND INSUFFICIENT_DATA("c d")');
    expect(alarmsNamedBy(rule)).toEqual(["a", "b", "c d"]);
  });

  it("takes the name out of an ARN, colons in it included", () => {
    expect(alarmNameOf("arn:aws:cloudwatch:us-east-1:1:alarm:a:alarm:b")).toBe("a:alarm:b");
    expect(alarmNameOf("a:alarm:b")).toBe("a:alarm:b");
  });

  it("agrees with JavaScript on any combination of AND, OR and NOT", () => {
    const { rule } = fc.letrec<{ rule: string }>((tie) => ({
      rule: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom("TRUE", "FALSE"),
        fc
          .tuple(tie("rule"), fc.constantFrom("AND", "OR"), tie("rule"))
          .map((parts) => parts.join(" ")),
        tie("rule").map((inner) => `NOT (${inner})`),
        tie("rule").map((inner) => `(${inner})`),
      ),
    }));
    const inJavaScript = (source: string) =>
      Function(
        `return ${source.replaceAll("AND", "&&").replaceAll("OR", "||").replaceAll("NOT", "!").toLowerCase()}`,
      )();
    fc.assert(
      fc.property(rule, (source) => {
        expect(evaluate(source)).toBe(inJavaScript(source));
      }),
    );
  });
});
