import {
  GetParametersCommand,
  paginateGetParametersByPath,
  type SSMClient,
} from "@aws-sdk/client-ssm";
import { BACKLOG_NAME } from "../lambdas/core/limits.ts";
import { readPublishingParameter } from "../lambdas/core/wire/publishing-parameter.ts";
import { CommandError } from "./command-error.ts";
import { type OperationsParameter, readOperationsParameter } from "./operations-parameter.ts";

/** One backlog and all that its two SSM parameters say of it. */
export type BacklogLocation = OperationsParameter & {
  readonly name: string;
  readonly region: string;
};

/**
 * Finds a backlog by its name alone.
 * @throws CommandError where there is none of that name in this region (it names those that exist),
 *   or where its parameters cannot be followed. Errors of AWS pass through.
 */
export async function locateBacklog(ssm: SSMClient, name: string): Promise<BacklogLocation> {
  if (!BACKLOG_NAME.test(name)) throw badName(name);
  const region = await ssm.config.region();
  const publishing = `${ROOT}/${name}`;
  const operations = `${publishing}/operations`;
  const { Parameters = [] } = await ssm.send(
    new GetParametersCommand({ Names: [publishing, operations] }),
  );
  const textOf = (parameter: string): string | undefined =>
    Parameters.find(({ Name }) => Name === parameter)?.Value;
  const [publishingJson, operationsJson] = [textOf(publishing), textOf(operations)];
  if (publishingJson === undefined && operationsJson === undefined) {
    throw noSuchBacklog(name, region, await namesIn(ssm));
  }
  if (publishingJson === undefined || operationsJson === undefined) {
    throw half(publishingJson === undefined ? publishing : operations, region);
  }
  return { ...readBoth(publishingJson, operationsJson, name), name, region };
}

const ROOT = "/backlogorder";

function readBoth(
  publishingJson: string,
  operationsJson: string,
  name: string,
): OperationsParameter {
  try {
    const { queueUrl, partitions } = readPublishingParameter(publishingJson);
    const operations = readOperationsParameter(operationsJson);
    if (queueUrl !== operations.sourceUrl || partitions !== operations.partitions) {
      throw new RangeError(
        `Expected both SSM parameters to name one source queue and one partition count, got \`${queueUrl}\` (${partitions}) and \`${operations.sourceUrl}\` (${operations.partitions})`,
      );
    }
    return operations;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new CommandError(
      {
        code: "bad-parameter",
        message: cause.message,
        remedy: `deploy the stack of \`${name}\` again, or use the command of the version that was deployed`,
      },
      { cause },
    );
  }
}

/** Names of the region's backlogs, sorted. Whoever may not list parameters sees none. */
async function namesIn(ssm: SSMClient): Promise<readonly string[] | undefined> {
  const names: string[] = [];
  try {
    for await (const { Parameters = [] } of paginateGetParametersByPath(
      { client: ssm },
      { Path: ROOT },
    )) {
      names.push(...Parameters.map(({ Name = "" }) => Name.slice(ROOT.length + 1)));
    }
  } catch (error) {
    if (error instanceof Error && error.name.startsWith("AccessDenied")) return undefined;
    throw error;
  }
  return names.toSorted();
}

function badName(name: string): CommandError {
  return new CommandError({
    code: "bad-name",
    message: `Expected the name of a backlog to match ${BACKLOG_NAME.source}, got \`${name}\``,
    remedy: "use the `name` that the stack was deployed with",
  });
}

function noSuchBacklog(
  name: string,
  region: string,
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

function half(missing: string, region: string): CommandError {
  return new CommandError({
    code: "no-such-parameter",
    message: `The SSM parameter \`${missing}\` is missing in ${region}`,
    remedy: "deploy the stack again, or ask for ssm:GetParameters on it",
  });
}
