import type { Template } from "./template.ts";

/** What `Ref` gives beside resources: the template's parameters and the pseudo parameters. */
export type TemplateValues = ReadonlyMap<string, unknown>;

export type StackIdentity = {
  readonly stackName: string;
  readonly stackId: string;
  readonly region: string;
  readonly accountId: string;
};

/** A property of this value, or an item of a list, is left out. */
export const NO_VALUE = Symbol("AWS::NoValue");

/**
 * Parameters by their defaults, and the pseudo parameters. A parameter that CloudFormation would read
 * from the Parameter Store has no value: the CDK's own `BootstrapVersion` is one and nothing uses it.
 * @throws RangeError for a parameter without a default.
 */
export function templateValues(template: Template, stack: StackIdentity): TemplateValues {
  const values = new Map<string, unknown>([
    ["AWS::Region", stack.region],
    ["AWS::AccountId", stack.accountId],
    ["AWS::Partition", "aws"],
    ["AWS::URLSuffix", "amazonaws.com"],
    ["AWS::StackName", stack.stackName],
    ["AWS::StackId", stack.stackId],
    ["AWS::NoValue", NO_VALUE],
  ]);
  for (const [name, { Type, Default }] of Object.entries(template.Parameters)) {
    if (Type.startsWith("AWS::SSM::Parameter::Value")) continue;
    if (Default === undefined) {
      throw new RangeError(
        `Expected the template's parameter ${name} to have a default, got none. Give it one in the app`,
      );
    }
    values.set(name, isList(Type) ? String(Default).split(",") : String(Default));
  }
  return values;
}

function isList(type: string): boolean {
  return type === "CommaDelimitedList" || type.startsWith("List<");
}
