/** What an operator does to two numbers; comparisons and logic give 1 or 0. */
export const MATH_OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "^": (left, right) => left ** right,
  "==": (left, right) => Number(left === right),
  "!=": (left, right) => Number(left !== right),
  "<": (left, right) => Number(left < right),
  "<=": (left, right) => Number(left <= right),
  ">": (left, right) => Number(left > right),
  ">=": (left, right) => Number(left >= right),
  AND: both,
  "&&": both,
  OR: either,
  "||": either,
};

function both(left: number, right: number): number {
  return Number(left !== 0 && right !== 0);
}

function either(left: number, right: number): number {
  return Number(left !== 0 || right !== 0);
}
