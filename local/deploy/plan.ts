import { applyConditions } from "./conditions.ts";
import { creationOrder, type OrderedResource } from "./creation-order.ts";
import { DeployError } from "./deploy-error.ts";
import type { Create } from "./resource.ts";
import { createOf } from "./resource-types.ts";
import { parseTemplate, type Template } from "./template.ts";
import { type StackIdentity, type TemplateValues, templateValues } from "./template-values.ts";

/** A resource of the template, and how it is created. */
export type Step = OrderedResource & { readonly create: Create };

/** A template as it is to be deployed. */
export type Plan = {
  /** Without its conditions. */
  readonly template: Template;
  readonly values: TemplateValues;
  /** Each behind those that it refers to. */
  readonly steps: readonly Step[];
};

/**
 * Reads a template for a stack.
 * @throws RangeError for one that CloudFormation would refuse as a whole, or that is not supported,
 *   DeployError for a type of resource that is not served here.
 */
export function planOf(template: unknown, stack: StackIdentity): Plan {
  const whole = parseTemplate(template);
  const values = templateValues(whole, stack);
  const chosen = applyConditions(whole, values);
  const steps = creationOrder(chosen, leftOut(whole, chosen)).map(stepOf);
  return { template: chosen, values, steps };
}

function leftOut(whole: Template, chosen: Template): ReadonlySet<string> {
  return new Set(Object.keys(whole.Resources).filter((id) => !Object.hasOwn(chosen.Resources, id)));
}

function stepOf(resource: OrderedResource): Step {
  try {
    return { ...resource, create: createOf(resource.Type) };
  } catch (error) {
    throw new DeployError(resource.logicalId, resource.Type, error);
  }
}
