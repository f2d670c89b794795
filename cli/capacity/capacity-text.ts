import { formatDuration } from "../terminal/duration.ts";
import { tableOf } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Ages, CapacityPlan } from "./capacity-plan.ts";
import { UTILISATION_MAX } from "./partition-count.ts";
import { totalDollars } from "./record-cost.ts";

/** The plan as people read it. */
export function capacityText(plan: CapacityPlan, terminal: Terminal): string {
  const { simulated } = plan;
  return [
    verdict(plan, terminal),
    "",
    tableOf([{ title: "Figure" }, { title: "Value" }], rowsOf(plan)),
    "",
    `Limits, the nearest first (simulated ${simulated.records} records of ${secondsText(simulated.seconds)}):`,
    tableOf(
      [{ title: "Limit" }, { title: "Used", align: "right" }, { title: "Of", align: "right" }],
      plan.limits.map(({ what, used, limit }) => [what, used.toFixed(0), String(limit)]),
    ),
  ].join("\n");
}

function verdict({ choice, keepsUp }: CapacityPlan, { paint }: Terminal): string {
  const { partitions, worstUtilisation, keyUtilisation } = choice;
  if (keyUtilisation >= 1) {
    return `${paint("page", "Cannot keep up")}: the busiest key alone asks for ${keyUtilisation.toFixed(1)} x what one partition can do, whatever their count. To do: make the handler shorter, or split that key.`;
  }
  if (!keepsUp) {
    return `${paint("page", "Cannot keep up")}: the busiest of ${partitions} partitions, or all batches together, are asked for more than they can do. To do: take more partitions or a higher concurrency.`;
  }
  if (worstUtilisation > UTILISATION_MAX) {
    return `${paint("warn", "Narrow")}: the busiest of ${partitions} partitions is in flight ${percent(worstUtilisation)} of its time, above ${percent(UTILISATION_MAX)}. A burst or a retry there takes long to catch up.`;
  }
  return `${paint("ok", "Keeps up")} with ${partitions} partitions.`;
}

function rowsOf(plan: CapacityPlan): readonly (readonly string[])[] {
  const { choice, simulated, dollarsPerMonth: dollars } = plan;
  return [
    ["partitions", String(choice.partitions)],
    ["busiest partition in flight, at full batches", percent(choice.worstUtilisation)],
    ["  of it by its busiest key alone", percent(choice.keyUtilisation)],
    ["busiest partition in flight, simulated", percent(simulated.worstUtilisation)],
    ["publish to done, all records", agesText(simulated.age)],
    ["publish to done, busiest partition", worstText(simulated.worstAge)],
    ["records in a batch", simulated.recordsPerBatch.toFixed(1)],
    [
      "batches at once",
      `${simulated.concurrencyMean.toFixed(0)} on average, ${simulated.concurrencyMax} at most`,
    ],
    ["an hour's outage is drained in", secondsText(plan.hourOutageDrainSeconds)],
    ["SQS sees the whole backlog for an outage of", secondsText(plan.lookBackSeconds)],
    [
      "dollars a month",
      `${totalDollars(dollars).toFixed(0)} (SQS ${dollars.sqs.toFixed(0)}, Lambda ${dollars.lambda.toFixed(0)}, ledger ${dollars.ledger.toFixed(0)}, log ${dollars.log.toFixed(0)})`,
    ],
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

function agesText({ median, p99 }: Ages): string {
  return `median ${msText(median)}, 99 % within ${msText(p99)}`;
}

function worstText(worstAge: Ages | undefined): string {
  return worstAge === undefined
    ? "not known: none of the simulated records is its"
    : agesText(worstAge);
}

function msText(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function secondsText(seconds: number): string {
  if (!Number.isFinite(seconds)) return "never";
  return seconds < 60 ? `${Number(seconds.toPrecision(2))} s` : formatDuration(1000 * seconds);
}
