import { types } from "node:util";

/** The payload of an invocation that ended in a function error, in the words of the Node runtime. */
export type RuntimeError = {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
};

/** Describes whatever a handler or its module threw; it need not be an Error. */
export function runtimeErrorOf(thrown: unknown): RuntimeError {
  if (types.isNativeError(thrown) || thrown instanceof Error) {
    const trace = (thrown.stack ?? `${thrown.name}: ${thrown.message}`).split("\n");
    return { errorType: thrown.name, errorMessage: thrown.message, trace };
  }
  return { errorType: typeof thrown, errorMessage: textOf(thrown), trace: [] };
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return "The thrown value has no text: its `toString` throws";
  }
}
