import type { Cloud } from "../cloud.ts";
import { readAssets } from "./assets.ts";
import { createClients } from "./clients.ts";
import { applyConditions } from "./conditions.ts";
import type { Created } from "./created.ts";
import { creationOrder, type OrderedResource } from "./creation-order.ts";
import { type DeployedResource, namesOf } from "./deployed-resource.ts";
import { openStackMemory, type StackMemory } from "./kept-stack.ts";
import { type Names, resolveValue } from "./resolve.ts";
import type { Create, Stack } from "./resource.ts";
import { createOf, isKept } from "./resource-types.ts";
import { parseTemplate, type Template } from "./template.ts";
import { templateValues } from "./template-values.ts";

export type DeployOptions = {
  /** A CloudFormation template as JSON. */
  readonly template: unknown;
  /** Folder that `cdk synth` wrote, with the functions' code. */
  readonly assetsDirectory: string;
  readonly stackName: string;
  readonly cloud: Cloud;
};

/** A stack that was deployed. */
export type Deployed = {
  readonly stackId: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** What `Ref` gives, by logical id. */
  readonly physicalIds: ReadonlyMap<string, string>;
  /** In the order in which they were created. */
  resourcesOf(type: string): readonly DeployedResource[];
  /** Ends the schedules. What was created goes with the cloud. */
  stop(): void;
};

/** A resource that could not be created. What was created before it stays. */
export class DeployError extends Error {
  constructor(logicalId: string, type: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${logicalId} (${type}): ${why}`, { cause });
    this.name = "DeployError";
  }
}

/**
 * Creates everything in a template, each resource behind those that it refers to. What an earlier
 * start of the cloud in the same folder created and its services have kept is taken as it is.
 * @throws DeployError that names the resource which could not be created, RangeError for a template
 *   that CloudFormation would refuse as a whole, or that is not supported; nothing is created then.
 */
export async function deploy(options: DeployOptions): Promise<Deployed> {
  const { stackName, cloud } = options;
  const { region, accountId } = cloud;
  const memory = openStackMemory(cloud.stacks, { stackName, region, accountId });
  const { stackId } = memory;
  const whole = parseTemplate(options.template);
  const values = templateValues(whole, { stackName, stackId, region, accountId });
  const template = applyConditions(whole, values);
  const plan = creationOrder(template, leftOut(whole, template)).map(planned);
  const stops: (() => void)[] = [];
  const stop = (): void => {
    for (const end of stops.splice(0)) end();
  };
  const stack: Stack = {
    ...{ stackName, stackId, region, accountId, cloud, template },
    assets: readAssets(options.assetsDirectory),
    clients: createClients(cloud),
    onStop: (end) => void stops.push(end),
  };
  const resources = new Map<string, DeployedResource>();
  const names = namesOf(values, resources);
  try {
    for (const step of plan) {
      resources.set(step.logicalId, await deployed(step, stack, names, memory));
    }
    return {
      stackId,
      outputs: outputsOf(template, names),
      physicalIds: new Map([...resources].map(([id, { physicalId }]) => [id, physicalId])),
      resourcesOf: (type) => [...resources.values()].filter((resource) => resource.type === type),
      stop,
    };
  } catch (error) {
    stop();
    throw error;
  } finally {
    stack.clients.destroy();
  }
}

function leftOut(whole: Template, kept: Template): ReadonlySet<string> {
  return new Set(Object.keys(whole.Resources).filter((id) => !Object.hasOwn(kept.Resources, id)));
}

type Step = OrderedResource & { readonly create: Create };

/** For all resources before the first is created, so that an unknown type leaves nothing behind. */
function planned(resource: OrderedResource): Step {
  try {
    return { ...resource, create: createOf(resource.Type) };
  } catch (error) {
    throw new DeployError(resource.logicalId, resource.Type, error);
  }
}

async function deployed(
  step: Step,
  stack: Stack,
  names: Names,
  memory: StackMemory,
): Promise<DeployedResource> {
  const { logicalId, Type: type, Properties } = step;
  try {
    const before = isKept(type) ? memory.recall(logicalId, Properties) : undefined;
    if (before !== undefined) return { logicalId, type, ...before };
    const created = await createdBy(step, stack, names);
    if (isKept(type)) memory.remember(logicalId, Properties, created);
    return { logicalId, type, ...created };
  } catch (error) {
    throw new DeployError(logicalId, type, error);
  }
}

async function createdBy(
  { logicalId, Type: type, Properties, create }: Step,
  stack: Stack,
  names: Names,
): Promise<Created> {
  const properties = resolveValue(Properties, names) as Readonly<Record<string, unknown>>;
  return await create({ logicalId, type, properties, stack });
}

function outputsOf({ Outputs }: Template, names: Names): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(Outputs).map(([id, { Value }]) => [id, String(resolveValue(Value, names))]),
  );
}
