import { isDeepStrictEqual } from "node:util";
import { createResource, propertiesOf } from "./create-resources.ts";
import type { Created } from "./created.ts";
import { type DeployError, NotTakenBackError } from "./deploy-error.ts";
import { type DeployedResource, namesOf } from "./deployed-resource.ts";
import { endTimers, type LiveStack, type Operation } from "./live-stack.ts";
import type { Plan, Step } from "./plan.ts";
import { removeResource, removeResources } from "./remove-resources.ts";
import { changeOf, isCustom, isKept } from "./resource-types.ts";
import { named, takenBack, type Undo } from "./take-back.ts";

/** An update under way. */
type Update = {
  readonly live: LiveStack;
  readonly operation: Operation;
  readonly replaced: Replaced[];
  /** In the order of the steps. */
  readonly undo: Undo[];
};

/** A resource whose place another one takes, and what ends its timers. */
type Replaced = { readonly resource: DeployedResource; readonly end?: (() => void) | undefined };

/**
 * Makes a stack's resources what a plan says: those with other properties are changed or replaced, new
 * ones created, and at last what is left over deleted or retained, as its policies say. Gives what could
 * not be deleted: that does not fail the update.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-update-behaviors.html
 * @throws DeployError for one that cannot be changed; all is changed back then. NotTakenBackError that
 *   begins with it, where some of it could not be changed back.
 */
export async function updateResources(
  live: LiveStack,
  { steps, values }: Plan,
  operation: Operation,
): Promise<readonly DeployError[]> {
  const update: Update = { live, operation, replaced: [], undo: [] };
  const next = new Map<string, DeployedResource>();
  const names = namesOf(values, next);
  try {
    for (const step of steps) {
      next.set(
        step.logicalId,
        await named(step, () => updated(step, propertiesOf(step, names), update)),
      );
    }
  } catch (error) {
    const left = await takenBack(live, update.undo);
    throw left.length === 0 ? error : new NotTakenBackError(error, left);
  }
  const gone = [...live.resources.values()].filter(({ logicalId }) => !next.has(logicalId));
  // Before what may fail: the stack is updated, whatever becomes of what is left over.
  remember(live, steps, next);
  return cleanUp(update, gone);
}

function updated(
  step: Step,
  properties: DeployedResource["properties"],
  update: Update,
): Promise<DeployedResource> | DeployedResource {
  const { DeletionPolicy, UpdateReplacePolicy } = step;
  const before = update.live.resources.get(step.logicalId);
  if (before === undefined) return created(step, properties, update);
  if (before.type !== step.Type) return replaced(step, properties, before, update);
  if (!isDeepStrictEqual(before.properties, properties)) {
    return changed(step, properties, before, update);
  }
  return { ...before, policies: { DeletionPolicy, UpdateReplacePolicy } };
}

async function created(
  step: Step,
  properties: DeployedResource["properties"],
  { live, operation, undo }: Update,
): Promise<DeployedResource> {
  const nameBack = live.memory.renew(step.logicalId);
  let resource: DeployedResource | undefined;
  undo.push({
    step,
    async back(): Promise<void> {
      nameBack();
      if (resource === undefined) return;
      await removeResource(live, operation, { ...resource, departure: "rolledBack" });
    },
    left: () => (live.resources.has(step.logicalId) ? undefined : resource),
  });
  resource = await createResource(step, properties, operation);
  return resource;
}

async function changed(
  step: Step,
  properties: DeployedResource["properties"],
  before: DeployedResource,
  update: Update,
): Promise<DeployedResource> {
  const { logicalId, Type: type, DeletionPolicy, UpdateReplacePolicy } = step;
  const { live, operation, undo } = update;
  const change = changeOf(type);
  const changeTo = async (
    wanted: DeployedResource["properties"],
    current: DeployedResource,
  ): Promise<Created | "replace"> => {
    const end = live.ends.get(logicalId);
    live.ends.delete(logicalId);
    const request = { logicalId, type, properties: wanted, stack: operation.stackFor(logicalId) };
    try {
      const outcome = await change(request, current);
      end?.();
      return outcome;
    } catch (error) {
      if (end !== undefined) live.ends.set(logicalId, end);
      throw error;
    }
  };
  const left = { ...before, properties };
  const undoChange: Undo = {
    step,
    async back(): Promise<void> {
      await changeTo(before.properties, left);
    },
    left: () => left,
  };
  // A custom resource's function may fail half-way; all others change nothing where they fail.
  if (isCustom(type)) undo.push(undoChange);
  const outcome = await changeTo(properties, before);
  if (outcome === "replace") return replaced(step, properties, before, update);
  if (!isCustom(type)) undo.push(undoChange);
  if (outcome.physicalId !== before.physicalId) update.replaced.push({ resource: before });
  const policies = { DeletionPolicy, UpdateReplacePolicy };
  return { ...outcome, logicalId, type, properties, policies };
}

async function replaced(
  step: Step,
  properties: DeployedResource["properties"],
  before: DeployedResource,
  update: Update,
): Promise<DeployedResource> {
  const { ends } = update.live;
  const { logicalId } = step;
  const end = ends.get(logicalId);
  // Its timers go on until the update is done, or for good where it is taken back.
  ends.delete(logicalId);
  update.undo.push({
    step,
    back: async () => void (end !== undefined && ends.set(logicalId, end)),
    left: () => undefined,
  });
  const resource = await created(step, properties, update);
  update.replaced.push({ resource: before, end });
  return resource;
}

async function cleanUp(
  { live, operation, replaced }: Update,
  gone: readonly DeployedResource[],
): Promise<readonly DeployError[]> {
  for (const { end } of replaced) end?.();
  // All timers first: none may go on because another resource cannot be deleted.
  endTimers(
    live,
    gone.map(({ logicalId }) => logicalId),
  );
  for (const { logicalId } of gone) live.memory.forget(logicalId);
  const { failed } = await removeResources(live, operation, [
    ...gone.toReversed().map((resource) => ({ ...resource, departure: "deleted" as const })),
    ...replaced
      .toReversed()
      .map(({ resource }) => ({ ...resource, departure: "replaced" as const })),
  ]);
  return failed;
}

function remember(
  { memory, resources }: LiveStack,
  steps: readonly Step[],
  next: ReadonlyMap<string, DeployedResource>,
): void {
  resources.clear();
  for (const { logicalId, Type, Properties } of steps) {
    const resource = next.get(logicalId);
    if (resource === undefined) continue;
    resources.set(logicalId, resource);
    if (isKept(Type)) memory.remember(logicalId, Properties, resource);
  }
}
