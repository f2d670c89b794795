/** A part of the text of `Fn::Sub`: as it stands, or the value of a name such as `Table.Arn`. */
export type SubstitutionPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "name"; readonly name: string };

export type Substitution = {
  readonly parts: readonly SubstitutionPart[];
  /** Names that the function itself gives values, unresolved. */
  readonly variables: Readonly<Record<string, unknown>>;
};

/**
 * Reads the argument of `Fn::Sub`: a text, or a text and variables. `${!x}` is the text `${x}`.
 * @throws RangeError if it is neither.
 */
export function substitutionOf(argument: unknown): Substitution {
  const [text, variables = {}]: readonly unknown[] = Array.isArray(argument)
    ? argument
    : [argument];
  if (typeof text !== "string" || typeof variables !== "object" || variables === null) {
    throw new RangeError(
      `Expected Fn::Sub to have a text, or a text and variables, got ${JSON.stringify(argument)}`,
    );
  }
  return { parts: partsOf(text), variables: { ...variables } };
}

function partsOf(text: string): readonly SubstitutionPart[] {
  // Split by a pattern with a group: every second piece is what was between the braces.
  return text.split(/\$\{([^}]*)\}/).map((piece, index): SubstitutionPart => {
    if (index % 2 === 0) return { kind: "text", text: piece };
    if (piece.startsWith("!")) return { kind: "text", text: `\${${piece.slice(1)}}` };
    return { kind: "name", name: piece.trim() };
  });
}
