import type { RuntimeError } from "./runtime-error.ts";

// Function errors that Lambda words itself, because the process could not. Lambda puts the request
// in front of them: `RequestId: <id> Error: Task timed out after 3.00 seconds`.

/** The function was killed at its time limit. */
export function timedOut(requestId: string, seconds: number): RuntimeError {
  return {
    errorType: "Sandbox.Timedout",
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  };
}

/** The process ended without an answer. `how` is `exit status <code>` or `signal: <name>`. */
export function runtimeExited(requestId: string, how: string): RuntimeError {
  const what =
    how === "exit status 0"
      ? "Runtime exited without providing a reason"
      : `Runtime exited with error: ${how}`;
  return {
    errorType: "Runtime.ExitError",
    errorMessage: `RequestId: ${requestId} Error: ${what}`,
  };
}
