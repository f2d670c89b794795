import type { Operation } from "../http/aws-json.ts";

/** Operations that count their calls, those that end in an error included. */
export type CountedOperations = {
  readonly operations: Readonly<Record<string, Operation>>;
  /** Calls so far by operation name; an operation that was never called is absent. */
  calls(): Readonly<Record<string, number>>;
};

export function countCalls(operations: Readonly<Record<string, Operation>>): CountedOperations {
  const counts: Record<string, number> = {};
  const counted = Object.entries(operations).map(([name, operation]): [string, Operation] => [
    name,
    (input, request): unknown => {
      counts[name] = (counts[name] ?? 0) + 1;
      return operation(input, request);
    },
  ]);
  return { operations: Object.fromEntries(counted), calls: () => ({ ...counts }) };
}
