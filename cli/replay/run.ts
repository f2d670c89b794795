import type { BacklogLocation } from "../backlog-location.ts";
import type { Session } from "../session.ts";
import type { KeptPlan } from "./plan-file.ts";
import type { RunOptions } from "./run-options.ts";

/** All that a run is made of. */
export type Run = {
  readonly plan: RunPlan;
  readonly options: RunOptions;
  /** ARN of the caller. */
  readonly requestedBy: string;
  readonly location: BacklogLocation;
  readonly session: Session;
};

/** `notListed` is known of a plan that was made just now. */
export type RunPlan = KeptPlan & { readonly notListed?: number };
