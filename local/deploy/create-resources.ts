import { DeployError, messagesOf, RolledBackError } from "./deploy-error.ts";
import { type DeployedResource, namesOf } from "./deployed-resource.ts";
import type { LiveStack, Operation } from "./live-stack.ts";
import type { Plan, Step } from "./plan.ts";
import { removeResources, retainedText } from "./remove-resources.ts";
import { type Names, resolveValue } from "./resolve.ts";
import { isKept } from "./resource-types.ts";

/**
 * Creates all resources of a plan. Those that the stack's memory knows are taken as they are.
 * @throws DeployError for one that cannot be created. RolledBackError where the stack is new: what was
 *   created before is deleted then, but for what its policy retains even so.
 */
export async function createResources(
  live: LiveStack,
  { steps, values }: Plan,
  operation: Operation,
): Promise<void> {
  const names = namesOf(values, live.resources);
  try {
    for (const step of steps) {
      live.resources.set(step.logicalId, await ensured(step, live, names, operation));
    }
  } catch (error) {
    if (!live.memory.isNew || !(error instanceof DeployError)) throw error;
    throw new RolledBackError(error, await rolledBack(live, operation, error));
  }
}

/** The properties of a step with all functions resolved. */
export function propertiesOf(
  { Properties }: Step,
  names: Names,
): Readonly<Record<string, unknown>> {
  return resolveValue(Properties, names) as Readonly<Record<string, unknown>>;
}

/** Creates one resource. */
export async function createResource(
  step: Step,
  properties: DeployedResource["properties"],
  operation: Operation,
): Promise<DeployedResource> {
  const { logicalId, Type: type, DeletionPolicy, UpdateReplacePolicy, create } = step;
  const stack = operation.stackFor(logicalId);
  const created = await create({ logicalId, type, properties, stack });
  const policies = { DeletionPolicy, UpdateReplacePolicy };
  return { ...created, logicalId, type, properties, policies };
}

async function ensured(
  step: Step,
  { memory, imported }: LiveStack,
  names: Names,
  operation: Operation,
): Promise<DeployedResource> {
  const { logicalId, Type: type, Properties, DeletionPolicy, UpdateReplacePolicy } = step;
  try {
    const properties = propertiesOf(step, names);
    const before = isKept(type) ? memory.recall(logicalId, Properties) : undefined;
    if (before !== undefined) {
      const policies = { DeletionPolicy, UpdateReplacePolicy };
      return { ...before, logicalId, type, properties, policies };
    }
    const resource = imported.get(logicalId) ?? (await createResource(step, properties, operation));
    if (isKept(type)) memory.remember(logicalId, Properties, resource);
    return resource;
  } catch (error) {
    throw new DeployError(logicalId, type, error);
  }
}

/** @returns what stays all the same, as a sentence.
 *  @throws Error that tells of both failures where the rollback fails, too. */
async function rolledBack(
  live: LiveStack,
  operation: Operation,
  error: DeployError,
): Promise<string> {
  const leaving = [...live.resources.values()]
    .filter(({ logicalId }) => !live.imported.has(logicalId))
    .toReversed()
    .map((resource) => ({ ...resource, departure: "rolledBack" as const }));
  const { failed, ...removed } = await removeResources(live, operation, leaving);
  live.resources.clear();
  if (failed.length === 0) return retainedText(removed);
  throw new Error(`${error.message}. Its rollback failed: ${messagesOf(failed)}`, { cause: error });
}
