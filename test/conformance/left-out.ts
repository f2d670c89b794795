/** A resource that ministack is not asked to create. */
export type LeftOut = { readonly id: string; readonly type: string; readonly why: string };

type Resource = { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> };

type Template = { Resources: Record<string, Resource> };

type Unable = {
  readonly type: string;
  readonly why: string;
  readonly applies?: (properties: Readonly<Record<string, unknown>>) => boolean;
};

/** What ministack's CloudFormation refuses. */
const LEFT_OUT: readonly Unable[] = [
  { type: "AWS::CloudWatch::CompositeAlarm", why: "it has no composite alarms in CloudFormation" },
  {
    type: "AWS::CloudWatch::Alarm",
    why: "it has no alarms on metric math in CloudFormation",
    applies: ({ Metrics }) => Metrics !== undefined,
  },
];

/** The template without what ministack cannot create and without what refers to that. */
export function leaveOut(template: Template): {
  readonly template: Template;
  readonly leftOut: readonly LeftOut[];
} {
  const leftOut: LeftOut[] = Object.entries(template.Resources).flatMap(([id, resource]) => {
    const unable = LEFT_OUT.find(
      ({ type, applies }) =>
        type === resource.Type && (applies?.(resource.Properties ?? {}) ?? true),
    );
    return unable === undefined ? [] : [{ id, type: resource.Type, why: unable.why }];
  });
  // The list grows while it is walked: what refers to a resource that is left out is left out, too.
  for (const { id: gone } of leftOut) {
    for (const [id, resource] of Object.entries(template.Resources)) {
      if (leftOut.some((other) => other.id === id) || !refersTo(resource, gone)) continue;
      leftOut.push({ id, type: resource.Type, why: `it refers to ${gone}` });
    }
  }
  const names = new Set(leftOut.map(({ id }) => id));
  const Resources = Object.fromEntries(
    Object.entries(template.Resources).filter(([id]) => !names.has(id)),
  );
  return { template: { ...template, Resources }, leftOut };
}

/** By Ref, GetAtt, DependsOn or a text to substitute in. */
function refersTo(value: unknown, id: string): boolean {
  if (typeof value === "string") return value === id || value.includes(`\${${id}`);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => refersTo(part, id));
}
