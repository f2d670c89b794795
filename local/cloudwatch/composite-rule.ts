import type { AlarmState } from "./missing-data.ts";

/** A composite alarm's rule. */
export type CompositeRule =
  | { readonly kind: "constant"; readonly value: boolean }
  | { readonly kind: "state"; readonly state: AlarmState; readonly alarmName: string }
  | { readonly kind: "not"; readonly rule: CompositeRule }
  | { readonly kind: "and" | "or"; readonly left: CompositeRule; readonly right: CompositeRule };

/** A rule that CloudWatch would refuse, or that lies outside what is supported here. */
export class CompositeRuleError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CompositeRuleError";
  }
}

/** CloudWatch's limit on elements of one rule; it also bounds the recursion. */
const TOKENS_MAX = 500;

const TOKEN =
  /\s*(?:(?<state>ALARM|OK|INSUFFICIENT_DATA)\s*\(\s*(?:"(?<quoted>[^"]*)"|'(?<single>[^']*)'|(?<plain>[^()"']*[^()"'\s]))\s*\)|(?<word>(?:AND|OR|NOT|TRUE|FALSE)(?![A-Za-z0-9_])|\(|\)))\s*/y;

/**
 * Parses an AlarmRule: ALARM(x), OK(x), INSUFFICIENT_DATA(x), NOT, AND, OR, TRUE, FALSE and
 * parentheses; NOT binds tightest, OR loosest. An alarm is named in quotes or without, by its name
 * or its ARN. AT_LEAST is not supported.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
 * @throws CompositeRuleError that quotes the rule and where it broke.
 */
export function parseCompositeRule(source: string): CompositeRule {
  const cursor = { source, tokens: tokensOf(source), position: 0 };
  const rule = disjunction(cursor);
  if (cursor.position < cursor.tokens.length) throw expected("AND, OR or the end", cursor);
  return rule;
}

/** Whether the rule holds; `stateOf` must know every alarm that the rule names. */
export function holds(rule: CompositeRule, stateOf: (alarmName: string) => AlarmState): boolean {
  switch (rule.kind) {
    case "constant":
      return rule.value;
    case "state":
      return stateOf(rule.alarmName) === rule.state;
    case "not":
      return !holds(rule.rule, stateOf);
    case "and":
      return holds(rule.left, stateOf) && holds(rule.right, stateOf);
    case "or":
      return holds(rule.left, stateOf) || holds(rule.right, stateOf);
    default:
      return rule satisfies never;
  }
}

/** The alarms that a rule names, each as often as it does. */
export function alarmsNamedBy(rule: CompositeRule): readonly string[] {
  switch (rule.kind) {
    case "constant":
      return [];
    case "state":
      return [rule.alarmName];
    case "not":
      return alarmsNamedBy(rule.rule);
    case "and":
    case "or":
      return [...alarmsNamedBy(rule.left), ...alarmsNamedBy(rule.right)];
    default:
      return rule satisfies never;
  }
}

/** The name in an alarm's ARN; anything else is a name already. */
export function alarmNameOf(nameOrArn: string): string {
  return nameOrArn.startsWith("arn:") ? nameOrArn.replace(/^.*?:alarm:/, "") : nameOrArn;
}

type Token =
  | { readonly kind: "state"; readonly state: AlarmState; readonly alarmName: string }
  | { readonly kind: "word"; readonly word: string };

type Cursor = { readonly source: string; readonly tokens: readonly Token[]; position: number };

function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (position < source.length) {
    TOKEN.lastIndex = position;
    const groups = TOKEN.exec(source)?.groups;
    if (groups === undefined || tokens.length === TOKENS_MAX) {
      throw new CompositeRuleError(
        `Expected ALARM(name), OK(name), INSUFFICIENT_DATA(name), AND, OR, NOT, TRUE, FALSE or a ` +
          `parenthesis, ${TOKENS_MAX} at most, got \`${source.slice(position)}\` in \`${source}\``,
      );
    }
    tokens.push(tokenOf(groups));
    position = TOKEN.lastIndex;
  }
  return tokens;
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>): Token {
  const { state, quoted, single, plain, word } = groups;
  if (state === undefined) return { kind: "word", word: word ?? "" };
  const alarmName = alarmNameOf(quoted ?? single ?? plain ?? "");
  return { kind: "state", state: state as AlarmState, alarmName };
}

function disjunction(cursor: Cursor): CompositeRule {
  let left = conjunction(cursor);
  while (accept(cursor, "OR")) left = { kind: "or", left, right: conjunction(cursor) };
  return left;
}

function conjunction(cursor: Cursor): CompositeRule {
  let left = negation(cursor);
  while (accept(cursor, "AND")) left = { kind: "and", left, right: negation(cursor) };
  return left;
}

function negation(cursor: Cursor): CompositeRule {
  if (accept(cursor, "NOT")) return { kind: "not", rule: negation(cursor) };
  if (accept(cursor, "TRUE")) return { kind: "constant", value: true };
  if (accept(cursor, "FALSE")) return { kind: "constant", value: false };
  if (accept(cursor, "(")) {
    const inner = disjunction(cursor);
    if (!accept(cursor, ")")) throw expected("`)`", cursor);
    return inner;
  }
  const token = cursor.tokens[cursor.position];
  if (token?.kind !== "state") throw expected("a condition", cursor);
  cursor.position += 1;
  return token;
}

function accept(cursor: Cursor, word: string): boolean {
  const token = cursor.tokens[cursor.position];
  const found = token?.kind === "word" && token.word === word;
  if (found) cursor.position += 1;
  return found;
}

function expected(what: string, { source, tokens, position }: Cursor): CompositeRuleError {
  const token = tokens[position];
  const got = token?.kind === "word" ? token.word : (token?.alarmName ?? "the end");
  return new CompositeRuleError(`Expected ${what} in \`${source}\`, got \`${got}\``);
}
