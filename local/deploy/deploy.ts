import type { Cloud } from "../cloud.ts";
import { createResources } from "./create-resources.ts";
import type { DeployError } from "./deploy-error.ts";
import { type DeployedResource, namesOf } from "./deployed-resource.ts";
import { destroyResources } from "./destroy-resources.ts";
import { endTimers, type LiveStack, openLiveStack, operate } from "./live-stack.ts";
import { type Plan, planOf } from "./plan.ts";
import type { Removed } from "./remove-resources.ts";
import { resolveValue } from "./resolve.ts";
import { updateResources } from "./update-resources.ts";

export type DeployOptions = {
  /** A CloudFormation template as JSON. */
  readonly template: unknown;
  /** Folder that `cdk synth` wrote, with the functions' code. */
  readonly assetsDirectory: string;
  readonly stackName: string;
  readonly cloud: Cloud;
  /**
   * What an earlier stack has left, for the same logical ids: taken as it is, as after `cdk import`.
   * @default - all is new
   */
  readonly imported?: readonly DeployedResource[];
};

/** A stack that was deployed. After an update or a destroy, what it gave back counts. */
export type Deployed = {
  readonly stackId: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** What `Ref` gives, by logical id. */
  readonly physicalIds: ReadonlyMap<string, string>;
  /** What an update could not delete afterwards, and why. It is in no stack any more, and the update
   *  counts all the same, as with CloudFormation. */
  readonly leftOver: readonly DeployError[];
  /** In the order in which they were created. */
  resourcesOf(type: string): readonly DeployedResource[];
  /**
   * Makes the stack what another template says. What is no longer in it, or was replaced, goes as its
   * policies say.
   * @throws DeployError that names the resource which could not be changed; what was changed before it
   *   was changed back. NotTakenBackError where that failed for some of it, which it names, too.
   */
  update(options: Pick<DeployOptions, "template" | "assetsDirectory">): Promise<Deployed>;
  /**
   * Deletes the stack, and all of its resources that no DeletionPolicy retains.
   * @throws DeployError for a resource that cannot be deleted; what was deleted before it is gone.
   */
  destroy(): Promise<Removed>;
  /** Ends the schedules. What was created goes with the cloud. */
  stop(): void;
};

/**
 * Creates everything in a template, each resource behind those that it refers to. What an earlier
 * start of the cloud in the same folder created and its services have kept is taken as it is.
 * @throws DeployError that names the resource which could not be created; RolledBackError where the
 *   stack is new, as there is none of its name then. RangeError for a template that CloudFormation would refuse as
 *   a whole, or that is not supported; nothing is created then.
 */
export async function deploy(options: DeployOptions): Promise<Deployed> {
  const { stackName, cloud, template, assetsDirectory } = options;
  const live = openLiveStack(cloud, stackName, options.imported);
  try {
    const plan = planOf(template, live.identity);
    await operate(live, assetsDirectory, (operation) => createResources(live, plan, operation));
    return deployedAs(live, plan);
  } catch (error) {
    endTimers(live);
    if (live.memory.isNew) live.memory.end();
    throw error;
  }
}

function deployedAs(live: LiveStack, plan: Plan, leftOver: readonly DeployError[] = []): Deployed {
  const resources = new Map(live.resources);
  return {
    stackId: live.identity.stackId,
    outputs: outputsOf(plan, resources),
    physicalIds: new Map([...resources].map(([id, { physicalId }]) => [id, physicalId])),
    leftOver,
    resourcesOf: (type) => [...resources.values()].filter((resource) => resource.type === type),
    async update({ template, assetsDirectory }): Promise<Deployed> {
      const next = planOf(template, live.identity);
      const left = await operate(live, assetsDirectory, (operation) =>
        updateResources(live, next, operation),
      );
      return deployedAs(live, next, left);
    },
    destroy: () => operate(live, undefined, (operation) => destroyResources(live, operation)),
    stop: () => endTimers(live),
  };
}

function outputsOf(
  { template, values }: Plan,
  resources: ReadonlyMap<string, DeployedResource>,
): Readonly<Record<string, string>> {
  const names = namesOf(values, resources);
  return Object.fromEntries(
    Object.entries(template.Outputs).map(([id, { Value }]) => [
      id,
      String(resolveValue(Value, names)),
    ]),
  );
}
