import type { Handler } from "../../lambdas/aws/ledger/effects.ts";

/** One call of the handler, as it says itself. */
export type Call = {
  readonly called: string;
  readonly attempt: number;
  readonly key: string;
  /** The payload's bytes in hex. */
  readonly bytes: string;
  readonly attributes: readonly string[];
  readonly atMs: number;
};

/** Tells of each call, and fails for payloads that are `poison` or should be JSON and are not. */
export const handle: Handler = async ({ id, key, payload, attributes }, { attempt }) => {
  const call: Call = {
    called: id,
    attempt,
    key,
    bytes: Buffer.from(payload).toString("hex"),
    attributes: Object.keys(attributes),
    atMs: Date.now(),
  };
  process.stdout.write(`${JSON.stringify(call)}\n`);
  if (payload === "poison") throw new Error(`${id} is poison`);
  if (typeof payload === "string" && payload.startsWith("{")) JSON.parse(payload);
  return undefined;
};
