import type { Construct } from "constructs";
import { OPERATIONS_VARIABLES } from "../lambdas/core/environment.ts";
import { BacklogFunction } from "./backlog-function.ts";
import { type BacklogParts, environmentOf } from "./backlog-parts.ts";
import { letterRights } from "./letter-rights.ts";

export type PayloadProps = BacklogParts & {
  /** Whether payloads of letters may be changed. */
  readonly allowEdit: boolean;
};

/** The function by which administrators see, edit and purge what players did. A function of its own,
 *  so that operators need not be trusted with payloads. */
export class Payload extends BacklogFunction {
  constructor(scope: Construct, id: string, props: PayloadProps) {
    const { allowEdit, ...parts } = props;
    super(scope, id, {
      file: "payload.ts",
      description: `Shows and edits payloads of dead letters of the backlog ${parts.settings.name}`,
      // It looks through the dead-letter queue as a replay does.
      timeoutSeconds: parts.settings.replayTimeoutSeconds,
      memoryMiB: 512,
      environment: {
        ...environmentOf(parts),
        [OPERATIONS_VARIABLES.allowEdit]: String(allowEdit),
      },
      permissions: letterRights(parts),
      // What failed is for whoever asked to look at.
      retryAttempts: 0,
    });
  }
}
