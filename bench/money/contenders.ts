import { type BatchUse, LEDGER_USE, METRICS_LINE_BYTES } from "../../cli/capacity/record-cost.ts";

export type Payer = "backlogorder" | "powertools" | "floor";

type Use = Pick<BatchUse, "writeUnits" | "waits" | "logBytes">;

/** What a batch of one group costs each on a first receive, by its fill. The floor is SQS and Lambda
 *  alone: no memory of what was applied. Powertools' consumer emits no metrics. */
export const USE_BY_FILL: Readonly<Record<Payer, (fill: number) => Use>> = {
  backlogorder: () => ({ ...LEDGER_USE, logBytes: METRICS_LINE_BYTES }),
  powertools: (fill) => ({ writeUnits: 2 * fill, waits: 2 * fill, logBytes: 0 }),
  floor: () => ({ writeUnits: 0, waits: 0, logBytes: 0 }),
};
