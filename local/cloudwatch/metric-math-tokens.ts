/** A token of a metric math expression; `text` without its quotes. */
export type Token = { readonly kind: "number" | "word" | "text" | "sign"; readonly value: string };

/** An expression that CloudWatch would refuse, or that lies outside what is supported here. */
export class MetricMathError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MetricMathError";
  }
}

/** The limit of CloudWatch for an expression; it also bounds how deep a parser can go. */
const LENGTH_MAX = 2048;

const TOKEN =
  /\s*(?:(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<word>[A-Za-z][A-Za-z0-9_]*)|"(?<text>[^"]*)"|(?<sign>==|!=|<=|>=|&&|\|\||[-+*/^<>(),[\]]))\s*/y;

/** @throws MetricMathError that quotes the expression and where it broke. */
export function tokensOf(source: string): readonly Token[] {
  if (source.length > LENGTH_MAX) {
    throw new MetricMathError(
      `Expected an expression of at most ${LENGTH_MAX} characters, got ${source.length}`,
    );
  }
  const tokens: Token[] = [];
  let position = 0;
  while (position < source.length) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(source);
    if (match === null) {
      const rest = source.slice(position);
      throw new MetricMathError(`Expected a metric math token at \`${rest}\` in \`${source}\``);
    }
    const [kind, value] =
      Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    tokens.push({ kind: kind as Token["kind"], value: value ?? "" });
    position = TOKEN.lastIndex;
  }
  return tokens;
}
