import type { Logger } from "@aws-lambda-powertools/logger";
import type { Context } from "aws-lambda";
import { v7 } from "uuid";
import type { Act } from "../core/acts/act.ts";
import { type Operation, operate } from "../core/acts/operation.ts";
import { DynamoActLedger } from "./ledger/acts-ledger.ts";
import type { LedgerTable } from "./ledger/ledger-table.ts";
import { systemClock } from "./system-clock.ts";

export type OperatorsFunctionProps = {
  readonly operations: Readonly<Record<string, Operation>>;
  /** The operation of an event that names none. */
  readonly fallback: string;
  readonly ledger: LedgerTable & { readonly memorySeconds: number };
  readonly logger: Logger;
};

/** A function that operators invoke. Each act is an item of the ledger and a line of the log; what did
 *  not run leaves a line as well. */
export function operatorsFunction({
  operations,
  fallback,
  ledger,
  logger,
}: OperatorsFunctionProps): (event: unknown, context: Context) => Promise<unknown> {
  const ports = {
    acts: new DynamoActLedger(ledger),
    clock: systemClock,
    log: (act: Act, trouble?: unknown): void => logAct(logger, act, trouble),
    fallback,
  };
  return async (event, context) => {
    logger.addContext(context);
    const startedAtMs = systemClock.nowMs();
    const deadlineMs = startedAtMs + context.getRemainingTimeInMillis();
    const run = { runId: v7({ msecs: startedAtMs }), startedAtMs, deadlineMs };
    try {
      return await operate(event, run, operations, ports);
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      logger.error("what was asked did not run to its end", {
        runId: run.runId,
        request: withoutPayload(event),
        error: cause,
      });
      throw error;
    }
  };
}

function logAct(logger: Logger, act: Act, trouble: unknown): void {
  const { actId, ...facts } = act;
  const line = { runId: actId, ...facts };
  if (trouble === undefined) logger.info("act ended", line);
  else
    logger.error("act ended, and the ledger does not know it", { ...line, trouble: `${trouble}` });
}

/** What players did has no place in a log. */
function withoutPayload(event: unknown): unknown {
  if (typeof event !== "object" || event === null || Array.isArray(event)) return event;
  const { payload, payloadBase64, ...rest } = event as Readonly<Record<string, unknown>>;
  return payload === undefined && payloadBase64 === undefined
    ? rest
    : { ...rest, payload: "given" };
}
