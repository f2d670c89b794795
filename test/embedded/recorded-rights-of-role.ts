import type { Deployed } from "../../local/deploy/deploy.ts";

type Statement = {
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
};

type Policy = {
  readonly Roles: readonly string[];
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
};

/** What the policies of a deployed stack grant to a role, as `sqs:SendMessage <ARN>`. */
export function rightsOfRole(deployed: Deployed, roleArn: string): readonly string[] {
  const role = roleArn.slice(roleArn.lastIndexOf("/") + 1);
  return deployed
    .resourcesOf("AWS::IAM::Policy")
    .map(({ properties }) => properties as Policy)
    .filter(({ Roles }) => Roles.includes(role))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .flatMap(rightsOf);
}

function rightsOf({ Action, Resource }: Statement): readonly string[] {
  return [Action]
    .flat()
    .flatMap((action) => [Resource].flat().map((resource) => `${action} ${resource}`));
}
