import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";

// Loaded before a function by `--import`: one line of its output for each request to AWS, the SDK's
// repetitions included.
subscribe("http.client.request.start", (message) => {
  const { request } = message as { readonly request: ClientRequest };
  const requested = request.getHeader("x-amz-target");
  if (requested !== undefined) process.stdout.write(`${JSON.stringify({ requested })}\n`);
});
