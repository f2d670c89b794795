import { paginateGetParametersByPath, type SSMClient } from "@aws-sdk/client-ssm";
import { CommandError } from "./command-error.ts";

type Place = { readonly name: string; readonly parameter: string; readonly region: string };

/** Names of the region's backlogs, sorted, each with one of its two parameters at least; undefined
 *  for whoever may not list parameters. */
export async function namesOfBacklogs(ssm: SSMClient): Promise<readonly string[] | undefined> {
  const names = new Set<string>();
  try {
    for await (const { Parameters = [] } of paginateGetParametersByPath(
      { client: ssm },
      { Path: ROOT, Recursive: true },
    )) {
      for (const { Name = "" } of Parameters) names.add(Name.split("/")[2] ?? "");
    }
  } catch (error) {
    if (error instanceof Error && error.name.startsWith("AccessDenied")) return undefined;
    throw error;
  }
  return [...names].toSorted();
}

const ROOT = "/backlogorder";

/** Nothing of that name is in the region. `names` are those that there are, where they are known. */
export function noSuchBacklog(
  { name, region }: Pick<Place, "name" | "region">,
  names: readonly string[] | undefined,
): CommandError {
  const elsewhere = "if the stack is in another region or account, set AWS_REGION or AWS_PROFILE";
  return new CommandError({
    code: "no-such-backlog",
    message: `There is no backlog \`${name}\` in ${region}${existing(names)}`,
    remedy: names?.length
      ? `use one of these names; ${elsewhere}`
      : `${elsewhere}; else deploy it first`,
  });
}

function existing(names: readonly string[] | undefined): string {
  if (names === undefined) return "";
  return names.length === 0
    ? ", nor any other"
    : `, only ${names.map((each) => `\`${each}\``).join(", ")}`;
}

/** The backlog's other parameter is there. */
export function missingParameter({ parameter, region }: Omit<Place, "name">): CommandError {
  return new CommandError({
    code: "no-such-parameter",
    message: `The SSM parameter \`${parameter}\` is missing in ${region}`,
    remedy: "deploy the stack again",
  });
}
