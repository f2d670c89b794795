import { DeployError } from "./deploy-error.ts";
import type { DeployedResource } from "./deployed-resource.ts";
import type { LiveStack } from "./live-stack.ts";
import type { Step } from "./plan.ts";

/** What takes a step of an update back. */
export type Undo = {
  readonly step: Step;
  readonly back: () => Promise<void>;
  /** What is there if it cannot be taken back; undefined where what was before it is there, too. */
  readonly left: () => DeployedResource | undefined;
};

/** Takes all steps back, the last one first; one that fails holds up no other. Gives those. */
export async function takenBack(
  live: LiveStack,
  undo: readonly Undo[],
): Promise<readonly DeployError[]> {
  const failures: DeployError[] = [];
  for (const { step, back, left } of undo.toReversed()) {
    try {
      await named(step, back);
    } catch (failure) {
      failures.push(failure as DeployError);
      const resource = left();
      // The next update finds it as it is, and changes it.
      if (resource !== undefined) live.resources.set(step.logicalId, resource);
    }
  }
  return failures;
}

/** Does something to a step's resource. @throws DeployError that names it. */
export async function named<T>({ logicalId, Type }: Step, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof DeployError ? error : new DeployError(logicalId, Type, error);
  }
}
