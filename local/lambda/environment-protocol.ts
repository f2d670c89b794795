import type { RuntimeError } from "./runtime-error.ts";

/** What Lambda tells an execution environment. Only one invocation is under way at a time. */
export type Invoke = {
  readonly kind: "invoke";
  readonly requestId: string;
  /** JSON text, so that the handler gets an object of its own. */
  readonly event: string;
  readonly functionArn: string;
  /** Epoch milliseconds at which the process will be killed. */
  readonly deadlineMs: number;
};

/** What an execution environment tells Lambda. A process that just ends says nothing. */
export type EnvironmentMessage =
  | { readonly kind: "ready" }
  /** The module could not be loaded or exports no such handler. The process ends. */
  | { readonly kind: "initFailed"; readonly error: RuntimeError }
  | { readonly kind: "succeeded"; readonly requestId: string; readonly payload: string }
  | { readonly kind: "failed"; readonly requestId: string; readonly error: RuntimeError }
  /** An exception that nothing caught. The process ends. */
  | { readonly kind: "crashed"; readonly error: RuntimeError };

/** Line that ends an invocation's output on either stream: output and answer come by different
 *  pipes, and the answer may overtake. No game writes a NUL in its log by accident. */
export function outputEnd(requestId: string): string {
  return `\u0000end of ${requestId}`;
}
