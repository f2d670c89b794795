import { intrinsicOf } from "./intrinsic.ts";
import { resolveValue } from "./resolve.ts";
import type { Template } from "./template.ts";
import { NO_VALUE, type TemplateValues } from "./template-values.ts";

/**
 * The template without its conditions: `Fn::If` is replaced by the branch that holds; resources and
 * outputs whose condition does not hold are left out.
 * @throws RangeError for a condition that is unknown, leads to itself or uses an unknown function.
 */
export function applyConditions(template: Template, values: TemplateValues): Template {
  const holds = conditionsOf(template.Conditions, values);
  const kept = <T extends { readonly Condition?: string | undefined }>(
    entries: Readonly<Record<string, T>>,
  ): Record<string, T> =>
    Object.fromEntries(
      Object.entries(entries)
        .filter(([, { Condition }]) => Condition === undefined || holds(Condition))
        .map(([id, entry]) => [id, chosen(entry, holds) as T]),
    );
  return { ...template, Resources: kept(template.Resources), Outputs: kept(template.Outputs) };
}

type Holds = (condition: string) => boolean;

function chosen(value: unknown, holds: Holds): unknown {
  const intrinsic = intrinsicOf(value);
  if (intrinsic?.name === "Fn::If") {
    const [condition, ifTrue, ifFalse] = operandsOf("Fn::If", intrinsic.argument, 3, 3);
    return chosen(holds(String(condition)) ? ifTrue : ifFalse, holds);
  }
  if (Array.isArray(value)) return value.map((item) => chosen(item, holds));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, chosen(item, holds)]));
}

function conditionsOf(conditions: Template["Conditions"], values: TemplateValues): Holds {
  const known = new Map<string, boolean | "underWay">();
  const holds: Holds = (condition) => {
    if (!Object.hasOwn(conditions, condition)) {
      throw new RangeError(`Expected a condition of the template, got ${condition}`);
    }
    const before = known.get(condition);
    if (before === "underWay") throw new RangeError(`Condition ${condition} leads to itself`);
    if (before !== undefined) return before;
    known.set(condition, "underWay");
    const result = evaluate(conditions[condition], holds, values);
    known.set(condition, result);
    return result;
  };
  return holds;
}

function evaluate(expression: unknown, holds: Holds, values: TemplateValues): boolean {
  const [[name, argument] = ["", undefined]] = Object.entries(Object(expression));
  const each = (min: number, max: number): readonly boolean[] =>
    operandsOf(name, argument, min, max).map((operand) => evaluate(operand, holds, values));
  switch (name) {
    case "Condition":
      return holds(String(argument));
    case "Fn::Equals": {
      const [left, right] = operandsOf(name, argument, 2, 2).map((operand) =>
        resolveValue(operand, conditionNames(values)),
      );
      return String(left) === String(right);
    }
    case "Fn::Not":
      return each(1, 1)[0] === false;
    case "Fn::And":
      return each(2, 10).every(Boolean);
    case "Fn::Or":
      return each(2, 10).some(Boolean);
    default:
      throw new RangeError(
        `Expected a condition of Fn::Equals, Fn::Not, Fn::And, Fn::Or or Condition, got ${JSON.stringify(expression)}`,
      );
  }
}

/** Conditions are settled before any resource exists, so they can only name parameters. */
function conditionNames(values: TemplateValues): Parameters<typeof resolveValue>[1] {
  return {
    ref(name): unknown {
      const value = values.get(name);
      if (value === undefined || value === NO_VALUE) {
        throw new RangeError(`Expected conditions to name parameters, got ${name}`);
      }
      return value;
    },
    attribute(logicalId, attribute): never {
      throw new RangeError(`Expected conditions to name parameters, got ${logicalId}.${attribute}`);
    },
  };
}

function operandsOf(name: string, argument: unknown, min: number, max: number): readonly unknown[] {
  if (Array.isArray(argument) && argument.length >= min && argument.length <= max) return argument;
  throw new RangeError(
    `Expected ${name} to have a list of ${min === max ? min : `${min} to ${max}`}, got ${JSON.stringify(argument)}`,
  );
}
