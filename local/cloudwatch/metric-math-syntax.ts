import { MetricMathError, type Token, tokensOf } from "./metric-math-tokens.ts";

/** The tree of a metric math expression. */
export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  /** The id of a metric or of another expression, or a keyword such as REPEAT. */
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "array"; readonly items: readonly Expression[] }
  | { readonly kind: "negation"; readonly operand: Expression }
  | {
      readonly kind: "operation";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "call"; readonly name: string; readonly arguments: readonly Expression[] };

/**
 * Parses an expression in the syntax of
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 * @throws MetricMathError that quotes the expression and where it broke.
 */
export function parseExpression(source: string): Expression {
  const cursor = { source, tokens: tokensOf(source), position: 0 };
  const expression = operation(cursor, 0);
  if (peek(cursor) !== undefined) throw expected(cursor, "an operator or the end");
  return expression;
}

type Cursor = { readonly source: string; readonly tokens: readonly Token[]; position: number };

/** Higher binds tighter. */
const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ["OR", 1],
  ["||", 1],
  ["AND", 2],
  ["&&", 2],
  ["==", 3],
  ["!=", 3],
  ["<", 3],
  ["<=", 3],
  [">", 3],
  [">=", 3],
  ["+", 4],
  ["-", 4],
  ["*", 5],
  ["/", 5],
  ["^", 6],
]);

function operation(cursor: Cursor, above: number): Expression {
  let left = operand(cursor);
  for (;;) {
    const operator = peek(cursor);
    const precedence =
      operator?.kind === "text" ? undefined : PRECEDENCE.get(operator?.value ?? "");
    if (operator === undefined || precedence === undefined || precedence <= above) return left;
    cursor.position += 1;
    left = {
      kind: "operation",
      operator: operator.value,
      left,
      right: operation(cursor, precedence),
    };
  }
}

function operand(cursor: Cursor): Expression {
  if (accept(cursor, "-")) return { kind: "negation", operand: operand(cursor) };
  if (accept(cursor, "(")) {
    const inner = operation(cursor, 0);
    expect(cursor, ")");
    return inner;
  }
  if (accept(cursor, "[")) return { kind: "array", items: list(cursor, "]") };
  const token = peek(cursor);
  if (token === undefined || token.kind === "sign") throw expected(cursor, "a value");
  cursor.position += 1;
  if (token.kind === "number") return { kind: "number", value: Number(token.value) };
  if (token.kind === "text") return { kind: "text", value: token.value };
  return accept(cursor, "(")
    ? { kind: "call", name: token.value, arguments: list(cursor, ")") }
    : { kind: "name", name: token.value };
}

function list(cursor: Cursor, end: string): readonly Expression[] {
  const items: Expression[] = [];
  if (accept(cursor, end)) return items;
  do items.push(operation(cursor, 0));
  while (accept(cursor, ","));
  expect(cursor, end);
  return items;
}

function peek({ tokens, position }: Cursor): Token | undefined {
  return tokens[position];
}

/** Takes the sign if it is next. */
function accept(cursor: Cursor, sign: string): boolean {
  const token = peek(cursor);
  const found = token?.kind === "sign" && token.value === sign;
  if (found) cursor.position += 1;
  return found;
}

function expect(cursor: Cursor, sign: string): void {
  if (!accept(cursor, sign)) throw expected(cursor, `\`${sign}\``);
}

function expected(cursor: Cursor, what: string): MetricMathError {
  const got = peek(cursor)?.value ?? "the end";
  return new MetricMathError(`Expected ${what} in \`${cursor.source}\`, got \`${got}\``);
}
