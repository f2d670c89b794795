import * as v from "valibot";

const value = v.record(v.string(), v.unknown());

const resourceSchema = v.object({
  Type: v.string(),
  Properties: v.optional(value, {}),
  DependsOn: v.optional(
    v.union([
      v.array(v.string()),
      v.pipe(
        v.string(),
        v.transform((id) => [id]),
      ),
    ]),
    [],
  ),
  Condition: v.optional(v.string()),
  DeletionPolicy: v.optional(v.picklist(["Delete", "Retain", "RetainExceptOnCreate"]), "Delete"),
  UpdateReplacePolicy: v.optional(v.picklist(["Delete", "Retain"]), "Delete"),
});

const templateSchema = v.object({
  Resources: v.record(v.string(), resourceSchema),
  Parameters: v.optional(
    v.record(v.string(), v.object({ Type: v.string(), Default: v.optional(v.unknown()) })),
    {},
  ),
  Conditions: v.optional(value, {}),
  Outputs: v.optional(
    v.record(v.string(), v.object({ Value: v.unknown(), Condition: v.optional(v.string()) })),
    {},
  ),
  Transform: v.optional(v.undefined("Expected no Transform: it would be run by CloudFormation")),
});

/** What a deploy reads of a CloudFormation template. Rules are left to CloudFormation. */
export type Template = v.InferOutput<typeof templateSchema>;
export type TemplateResource = v.InferOutput<typeof resourceSchema>;

/** @throws RangeError that says where it is no CloudFormation template. */
export function parseTemplate(input: unknown): Template {
  const { success, output, issues } = v.safeParse(templateSchema, input);
  if (success) return output;
  const [issue] = issues;
  throw new RangeError(
    `Expected a CloudFormation template: ${v.getDotPath(issue) ?? "top"}: ${issue.message}`,
  );
}
