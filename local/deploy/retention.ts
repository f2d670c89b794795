import type { TemplateResource } from "./template.ts";

/** What a template says of a resource's end. */
export type Policies = Pick<TemplateResource, "DeletionPolicy" | "UpdateReplacePolicy">;

/**
 * Why a resource has to go: its stack is destroyed or its template no longer has it, the deploy that
 * created it has failed, or an update has put another one in its place.
 */
export type Departure = "deleted" | "rolledBack" | "replaced";

/**
 * Whether the resource stays all the same, outside of any stack.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html
 */
export function isRetained(
  { DeletionPolicy, UpdateReplacePolicy }: Policies,
  departure: Departure,
): boolean {
  switch (departure) {
    case "deleted":
      return DeletionPolicy !== "Delete";
    case "rolledBack":
      return DeletionPolicy === "Retain";
    case "replaced":
      return UpdateReplacePolicy === "Retain";
    default:
      return departure satisfies never;
  }
}
