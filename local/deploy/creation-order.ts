import { attributeNamed, intrinsicOf } from "./intrinsic.ts";
import { substitutionOf } from "./substitution.ts";
import type { Template, TemplateResource } from "./template.ts";

export type OrderedResource = TemplateResource & { readonly logicalId: string };

/**
 * The resources, each behind all that it refers to or depends on; otherwise as in the
 * template, with composite alarms last, as their rules may name alarms by plain text.
 * @throws RangeError for a circle, which it names, and for a DependsOn of nothing.
 */
export function creationOrder(
  { Resources }: Pick<Template, "Resources">,
  /** Ids that the template holds but that are not created, as their condition does not hold. */
  leftOut: ReadonlySet<string> = new Set(),
): readonly OrderedResource[] {
  const done = new Map<string, OrderedResource>();

  const visit = (id: string, path: readonly string[]): void => {
    if (done.has(id)) return;
    if (path.includes(id)) {
      const circle = [...path.slice(path.indexOf(id)), id];
      throw new RangeError(`Expected no circle between resources, got ${circle.join(" -> ")}`);
    }
    const resource = Resources[id];
    if (resource === undefined) return;
    assertKnown(id, resource);
    for (const needed of neededBy(resource)) visit(needed, [...path, id]);
    done.set(id, { logicalId: id, ...resource });
  };

  const assertKnown = (id: string, { DependsOn }: TemplateResource): void => {
    const unknown = DependsOn.find((other) => !Object.hasOwn(Resources, other));
    if (unknown === undefined || leftOut.has(unknown)) return;
    throw new RangeError(`Expected ${id} to depend on resources of the template, got ${unknown}`);
  };

  for (const id of startingPoints(Resources)) visit(id, []);
  return [...done.values()];
}

function startingPoints(resources: Template["Resources"]): readonly string[] {
  const isComposite = (id: string): boolean =>
    resources[id]?.Type === "AWS::CloudWatch::CompositeAlarm";
  const ids = Object.keys(resources);
  return [...ids.filter((id) => !isComposite(id)), ...ids.filter(isComposite)];
}

function neededBy({ Properties, DependsOn }: TemplateResource): ReadonlySet<string> {
  return new Set([...DependsOn, ...referencesIn(Properties)]);
}

/** Names that a value refers to, parameters included. */
function referencesIn(value: unknown): readonly string[] {
  const intrinsic = intrinsicOf(value);
  switch (intrinsic?.name) {
    case "Ref":
      return [String(intrinsic.argument)];
    case "Fn::GetAtt":
      return [attributeNamed(intrinsic.argument)[0]];
    case "Fn::Sub":
      return referencesInText(intrinsic.argument);
    default:
      return typeof value === "object" && value !== null
        ? Object.values(value).flatMap(referencesIn)
        : [];
  }
}

function referencesInText(argument: unknown): readonly string[] {
  const { parts, variables } = substitutionOf(argument);
  const named = parts.flatMap((part) =>
    part.kind === "name" && !Object.hasOwn(variables, part.name)
      ? [part.name.split(".")[0] ?? ""]
      : [],
  );
  return [...named, ...referencesIn(Object.values(variables))];
}
