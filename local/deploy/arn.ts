import type { StackIdentity } from "./template-values.ts";

/** ARN of a resource in the stack's account and region; `resource` is all behind the account. */
export function arnOf(
  { region, accountId }: Pick<StackIdentity, "region" | "accountId">,
  service: string,
  resource: string,
): string {
  // IAM is not of any region.
  return `arn:aws:${service}:${service === "iam" ? "" : region}:${accountId}:${resource}`;
}

/** The last part of an ARN, such as a queue's or a function's name; a name stays as it is. */
export function nameInArn(arn: string): string {
  return arn.slice(arn.lastIndexOf(":") + 1);
}
