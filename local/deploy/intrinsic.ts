/** A function of the template language: `{Ref: ...}`, `{Fn::Join: ...}`. */
export type Intrinsic = { readonly name: string; readonly argument: unknown };

/** The function that a value of a template is; undefined for any other value. */
export function intrinsicOf(value: unknown): Intrinsic | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0) return undefined;
  const [name, argument] = entry;
  return name === "Ref" || name.startsWith("Fn::") ? { name, argument } : undefined;
}

/** What `Fn::GetAtt` names, in both of its spellings: `[id, attribute]` and `id.attribute`. */
export function attributeNamed(argument: unknown): readonly [id: string, attribute: string] {
  const path = typeof argument === "string" ? argument.split(".") : argument;
  if (!isTexts(path) || path.length < 2) {
    throw new RangeError(
      `Expected Fn::GetAtt to have a logical id and an attribute, got ${JSON.stringify(argument)}`,
    );
  }
  const [id = "", ...attribute] = path;
  return [id, attribute.join(".")];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === "string");
}
