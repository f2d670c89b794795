import type { Created } from "./created.ts";
import type { Names } from "./resolve.ts";
import type { Policies } from "./retention.ts";
import type { TemplateValues } from "./template-values.ts";

/** A resource of a stack. */
export type DeployedResource = Created & {
  readonly logicalId: string;
  readonly type: string;
  /** As they were when it was created or changed last, with all functions resolved. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly policies: Policies;
};

/** Names of a template: its parameters, and the resources created so far. */
export function namesOf(
  values: TemplateValues,
  resources: ReadonlyMap<string, DeployedResource>,
): Names {
  const resourceOf = (logicalId: string): DeployedResource => {
    const resource = resources.get(logicalId);
    if (resource !== undefined) return resource;
    throw new RangeError(
      `Expected the name of a parameter with a value or of a resource that is created, got ${logicalId}`,
    );
  };
  return {
    ref: (name) => (values.has(name) ? values.get(name) : resourceOf(name).physicalId),
    attribute(logicalId, attribute): unknown {
      const { type, attributes } = resourceOf(logicalId);
      const value = attributes[attribute];
      if (value !== undefined) return value;
      const known = Object.keys(attributes).join(", ") || "none";
      throw new RangeError(
        `Expected an attribute of ${logicalId} (${type}) that is known here, got ${attribute}. Known: ${known}`,
      );
    },
  };
}
