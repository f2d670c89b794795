import { isDeepStrictEqual } from "node:util";
import { createResource, propertiesOf } from "./create-resources.ts";
import type { Created } from "./created.ts";
import { DeployError } from "./deploy-error.ts";
import { type DeployedResource, namesOf } from "./deployed-resource.ts";
import type { LiveStack, Operation } from "./live-stack.ts";
import type { Plan, Step } from "./plan.ts";
import { removeResources } from "./remove-resources.ts";
import { changeOf, isCustom, isKept } from "./resource-types.ts";

/** An update under way. */
type Update = {
  readonly live: LiveStack;
  readonly operation: Operation;
  /** Resources whose place another one takes. */
  readonly replaced: DeployedResource[];
  /** What takes each step back. */
  readonly undo: (() => Promise<void>)[];
};

/**
 * Makes a stack's resources what a plan says: those with other properties are changed or replaced, new
 * ones created, and at last what is left over deleted or retained, as its policies say.
 * @throws DeployError for one that cannot be changed; all is changed back then.
 */
export async function updateResources(
  live: LiveStack,
  { steps, values }: Plan,
  operation: Operation,
): Promise<void> {
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
    for (const back of update.undo.toReversed()) await back();
    throw error;
  }
  const gone = [...live.resources.values()].filter(({ logicalId }) => !next.has(logicalId));
  // Before what may fail: the stack is updated, whatever becomes of what is left over.
  remember(live, steps, next);
  await cleanUp(update, gone);
}

async function named<T>({ logicalId, Type }: Step, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new DeployError(logicalId, Type, error);
  }
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
  nameSalt?: string,
): Promise<DeployedResource> {
  const resource = await createResource(step, properties, operation, nameSalt);
  undo.push(async () => {
    await removeResources(live, operation, [{ ...resource, departure: "rolledBack" }]);
  });
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
  const changeBack = async (): Promise<void> => {
    await changeTo(before.properties, { ...before, properties });
  };
  const outcome = await changeTo(properties, before).catch(async (error: unknown) => {
    // Its function may have got half-way; all others have changed nothing.
    if (isCustom(type)) await changeBack();
    throw error;
  });
  if (outcome === "replace") return replaced(step, properties, before, update);
  undo.push(changeBack);
  if (outcome.physicalId !== before.physicalId) update.replaced.push(before);
  const policies = { DeletionPolicy, UpdateReplacePolicy };
  return { ...outcome, logicalId, type, properties, policies };
}

async function replaced(
  step: Step,
  properties: DeployedResource["properties"],
  before: DeployedResource,
  update: Update,
): Promise<DeployedResource> {
  const resource = await created(step, properties, update, ` instead of ${before.physicalId}`);
  update.replaced.push(before);
  return resource;
}

async function cleanUp(
  { live, operation, replaced }: Update,
  gone: readonly DeployedResource[],
): Promise<void> {
  for (const { logicalId } of gone) live.memory.forget(logicalId);
  await removeResources(live, operation, [
    ...gone.toReversed().map((resource) => ({ ...resource, departure: "deleted" as const })),
    ...replaced.toReversed().map((resource) => ({ ...resource, departure: "replaced" as const })),
  ]);
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
