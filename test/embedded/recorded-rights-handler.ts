import type { Handler } from "../../lambdas/aws/ledger/effects.ts";
import { handle as wallet } from "../../lambdas/handler.ts";

/** The example's wallet, and beside it a payload that needs no effect. */
export const handle: Handler = async (record, context) =>
  record.payload === "plain" ? undefined : wallet(record, context);
