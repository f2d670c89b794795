import { GetParameterCommand, ParameterNotFound, type SSMClient } from "@aws-sdk/client-ssm";
import { BACKLOG_NAME } from "../lambdas/core/limits.ts";
import { CommandError } from "./command-error.ts";
import { missingParameter, namesOfBacklogs, noSuchBacklog } from "./missing-backlog.ts";

/** One of a backlog's two SSM parameters, and how to read it. */
export type BacklogParameter<Value> = {
  /** What its name has behind `/backlogorder/<name>`. */
  readonly suffix: "" | "/operations";
  /** Reads its JSON text. @throws RangeError where that cannot be followed. */
  readonly read: (json: string) => Value;
  /** What to do about a text that cannot be followed, as the rest of a sentence. */
  readonly remedy: (name: string) => string;
};

/**
 * Reads one of a backlog's parameters and no other, so that the right to read that one is enough.
 * @throws CommandError where there is no backlog of that name in this region, where the parameter is
 *   missing, or where it cannot be followed. Errors of AWS pass through.
 */
export async function readBacklogParameter<Value>(
  ssm: SSMClient,
  name: string,
  { suffix, read, remedy }: BacklogParameter<Value>,
): Promise<Value & { readonly name: string; readonly region: string }> {
  if (!BACKLOG_NAME.test(name)) throw badName(name);
  const region = await ssm.config.region();
  const parameter = `/backlogorder/${name}${suffix}`;
  const json = await textOf(ssm, parameter).catch(async (error: unknown) => {
    throw await explained(error, ssm, { name, parameter, region });
  });
  try {
    return { ...read(json), name, region };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new CommandError(
      { code: "bad-parameter", message: cause.message, remedy: remedy(name) },
      { cause },
    );
  }
}

async function textOf(ssm: SSMClient, parameter: string): Promise<string> {
  const { Parameter } = await ssm.send(new GetParameterCommand({ Name: parameter }));
  return Parameter?.Value ?? "";
}

/** A role that may read one backlog's parameters is denied those of a name that there is not. */
async function explained(
  error: unknown,
  ssm: SSMClient,
  place: { readonly name: string; readonly parameter: string; readonly region: string },
): Promise<unknown> {
  const missing = error instanceof ParameterNotFound;
  if (!missing && !isDenied(error)) return error;
  const names = await namesOfBacklogs(ssm);
  if (names?.includes(place.name)) return missing ? missingParameter(place) : error;
  return missing || names !== undefined ? noSuchBacklog(place, names) : error;
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith("AccessDenied");
}

function badName(name: string): CommandError {
  return new CommandError({
    code: "bad-name",
    message: `Expected the name of a backlog to match ${BACKLOG_NAME.source}, got \`${name}\``,
    remedy: "use the `name` that the stack was deployed with",
  });
}
