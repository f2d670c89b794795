import type { Template } from "aws-cdk-lib/assertions";
import type { Resource } from "./synthesized.ts";

/** Puts names in place of a template's intrinsics: a reference becomes the logical id, an alarm's
 *  ARN one that ends with its name, as on AWS. */
export function valueResolver(template: Template): (value: unknown) => unknown {
  const resources: Readonly<Record<string, Resource>> = template.toJSON()["Resources"] ?? {};

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    const [[name, argument] = ["", undefined]] = entries;
    return (
      intrinsic(name, argument) ??
      Object.fromEntries(entries.map(([key, each]) => [key, resolve(each)]))
    );
  }

  function intrinsic(name: string, argument: unknown): string | undefined {
    switch (name) {
      case "Ref":
        return String(argument);
      case "Fn::GetAtt":
        return attribute(argument as [string, string]);
      case "Fn::Join":
        return join(argument as [string, readonly unknown[]]);
      default:
        return undefined;
    }
  }

  function attribute([id, attributeName]: readonly [string, string]): string {
    const alarmName = resources[id]?.Properties?.AlarmName;
    return alarmName === undefined
      ? `${id}.${attributeName}`
      : `arn:aws:cloudwatch:us-east-1:123456789012:alarm:${alarmName}`;
  }

  function join([separator, parts]: readonly [string, readonly unknown[]]): string {
    return parts.map(resolve).join(separator);
  }

  return resolve;
}
