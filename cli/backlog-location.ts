import type { SSMClient } from "@aws-sdk/client-ssm";
import { type BacklogParameter, readBacklogParameter } from "./backlog-parameter.ts";
import { type OperationsParameter, readOperationsParameter } from "./operations-parameter.ts";

/** One backlog and all that operators' tools must know of it. */
export type BacklogLocation = OperationsParameter & {
  readonly name: string;
  readonly region: string;
};

/**
 * Finds a backlog by its name alone, in its operators' parameter. Where publishers send is not asked:
 * they may have been sent to a later generation, and this one is looked at all the same.
 * @throws CommandError where there is none of that name in this region (it names those that exist),
 *   or where its parameter cannot be followed. Errors of AWS pass through.
 */
export function locateBacklog(ssm: SSMClient, name: string): Promise<BacklogLocation> {
  return readBacklogParameter(ssm, name, OPERATIONS);
}

const OPERATIONS: BacklogParameter<OperationsParameter> = {
  suffix: "/operations",
  read: readOperationsParameter,
  remedy: (name) =>
    `deploy the stack of \`${name}\` again, or use the command of the version that was deployed`,
};
