import { attributeNamed, intrinsicOf } from "./intrinsic.ts";
import { substitutionOf } from "./substitution.ts";
import { NO_VALUE } from "./template-values.ts";

/** Where the values of names come from. Each throws for a name that it does not know. */
export type Names = {
  ref(name: string): unknown;
  attribute(logicalId: string, attribute: string): unknown;
};

/**
 * A value of a template with its functions replaced by what they give. `Fn::If` must have been chosen
 * before.
 * @throws RangeError for a function that is not supported, or one with a wrong argument.
 */
export function resolveValue(value: unknown, names: Names): unknown {
  const intrinsic = intrinsicOf(value);
  if (intrinsic !== undefined) return resolveIntrinsic(intrinsic.name, intrinsic.argument, names);
  if (Array.isArray(value)) {
    return value.map((item) => resolveValue(item, names)).filter((item) => item !== NO_VALUE);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, resolveValue(item, names)])
      .filter(([, item]) => item !== NO_VALUE),
  );
}

function resolveIntrinsic(name: string, argument: unknown, names: Names): unknown {
  switch (name) {
    case "Ref":
      return names.ref(textOf("Ref", argument));
    case "Fn::GetAtt":
      return names.attribute(...attributeNamed(argument));
    case "Fn::Sub":
      return substitute(argument, names);
    case "Fn::Join": {
      const [separator, items] = pairOf(name, argument, names);
      return listOf(name, items)
        .map((item) => textOf(name, item))
        .join(textOf(name, separator));
    }
    case "Fn::Split": {
      const [separator, text] = pairOf(name, argument, names);
      return textOf(name, text).split(textOf(name, separator));
    }
    case "Fn::Select":
      return select(argument, names);
    case "Fn::ImportValue":
      throw new RangeError(
        `Expected no Fn::ImportValue, got ${JSON.stringify(argument)}: one stack is deployed, and nothing exports to it`,
      );
    default:
      throw new RangeError(`Expected a function that is supported here, got ${name}`);
  }
}

function substitute(argument: unknown, names: Names): string {
  const { parts, variables } = substitutionOf(argument);
  const named = (name: string): unknown => {
    if (Object.hasOwn(variables, name)) return resolveValue(variables[name], names);
    return name.includes(".") ? names.attribute(...attributeNamed(name)) : names.ref(name);
  };
  return parts
    .map((part) => (part.kind === "text" ? part.text : textOf("Fn::Sub", named(part.name))))
    .join("");
}

function select(argument: unknown, names: Names): unknown {
  const [index, items] = pairOf("Fn::Select", argument, names);
  const selected = listOf("Fn::Select", items)[Number(index)];
  if (selected === undefined) {
    throw new RangeError(
      `Expected Fn::Select to have an index into its list, got ${JSON.stringify([index, items])}`,
    );
  }
  return selected;
}

function pairOf(name: string, argument: unknown, names: Names): readonly [unknown, unknown] {
  const pair = listOf(name, argument);
  if (pair.length !== 2) {
    throw new RangeError(`Expected ${name} to have two arguments, got ${JSON.stringify(argument)}`);
  }
  return [resolveValue(pair[0], names), resolveValue(pair[1], names)];
}

function listOf(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new RangeError(`Expected ${name} to have a list, got ${JSON.stringify(value)}`);
}

function textOf(name: string, value: unknown): string {
  if (["string", "number", "boolean"].includes(typeof value)) return String(value);
  throw new RangeError(`Expected ${name} to have a text, got ${describe(value)}`);
}

function describe(value: unknown): string {
  return value === NO_VALUE ? "AWS::NoValue" : `${JSON.stringify(value)}`;
}
