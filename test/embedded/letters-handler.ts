import { existsSync } from "node:fs";
import type { Handler } from "../../lambdas/aws/ledger/effects.ts";

/** Fails for as long as the file exists that the payload names, and else says that it was called. */
export const handle: Handler = async ({ id, payload }) => {
  const { brokenWhile } = JSON.parse(String(payload));
  if (brokenWhile !== undefined && existsSync(brokenWhile)) {
    throw new Error("the catalogue is down");
  }
  process.stdout.write(`${JSON.stringify({ applied: id })}\n`);
  return undefined;
};
