import type { ActRequest, Performed } from "./act.ts";
import { type ActPorts, type ActRun, recordAct } from "./record-act.ts";

/** A request that was read and found good, and not acted on yet. */
export type Prepared =
  | { readonly kind: "reads"; readonly answer: (run: ActRun) => Promise<unknown> }
  | {
      readonly kind: "writes";
      readonly request: ActRequest;
      readonly perform: (run: ActRun) => Promise<Performed<unknown>>;
    };

/** Reads the fields of a request; throws where they break a rule. `operation` is not among them. */
export type Operation = (fields: Readonly<Record<string, unknown>>) => Prepared;

/** A request for an operation that the function does not have; nothing was touched. */
export class UnknownOperationError extends Error {
  override readonly name = "UnknownOperationError";
}

/**
 * Runs the operation that an event names; `fallback` where it names none. Each that writes is
 * recorded as an act.
 * @throws UnknownOperationError, and whatever the operation throws.
 */
export async function operate(
  event: unknown,
  run: ActRun,
  operations: Readonly<Record<string, Operation>>,
  { fallback, ...ports }: ActPorts & { readonly fallback: string },
): Promise<unknown> {
  const { operation = fallback, ...fields } = fieldsOf(event);
  const prepare = typeof operation === "string" ? operations[operation] : undefined;
  if (prepare === undefined || !Object.hasOwn(operations, String(operation))) {
    throw new UnknownOperationError(
      `Expected \`operation\` to be one of ${Object.keys(operations).join(", ")}, got ${JSON.stringify(operation)}. Nothing was touched`,
    );
  }
  const prepared = prepare(fields);
  if (prepared.kind === "reads") return prepared.answer(run);
  const { request, perform } = prepared;
  return recordAct(request, run, () => perform(run), ports);
}

/** An event that is no object goes on as it came, for the operation to refuse. */
function fieldsOf(event: unknown): Readonly<Record<string, unknown>> {
  if (event === undefined || event === null) return {};
  return typeof event === "object" && !Array.isArray(event)
    ? (event as Readonly<Record<string, unknown>>)
    : { request: event };
}
