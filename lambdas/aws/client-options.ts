/**
 * Options of every SDK client in a function. The SDK waits for an answer for ever unless told
 * otherwise; a call that hangs would then take the invocation with it, and its records would pay.
 * Endpoints and credentials come from the environment and from nowhere else.
 */
export const CLIENT_OPTIONS = {
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1000,
    requestTimeout: 5000,
    throwOnRequestTimeout: true,
  },
} as const;
