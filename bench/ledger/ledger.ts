import { BATCH_RECORDS } from "../contenders/batch.ts";
import { atMost, type Findings, type Part } from "../measure/part.ts";
import { type ContenderName, type Cost, countLedgerCosts } from "./scenarios.ts";

/** Ledger calls and write units a record. */
export const LEDGER_PART: Part = {
  name: "ledger",
  title: "Ledger calls and write units",
  async run(): Promise<Findings> {
    const costs = await countLedgerCosts();
    return { method: METHOD, tables: [tableOf(costs)], targets: targetsOf(costs), tried: TRIED };
  },
};

const METHOD = [
  "A batch of ten plain records goes through each consumer with the SDK's whole stack and over HTTP into the embedded DynamoDB, whose conditions are real. A server in between counts the requests and weighs each item before and after: write units by DynamoDB's rules, the index and refused conditions included. Per record in the last three columns, over the records that were delivered.",
];

const TRIED = [
  "Acknowledging a record that a batch entry names used to try and mark its own item, at one unit for a refused condition, even where the read before had shown that there is no item. It no longer does: 10 units less for a batch that is received again.",
];

function tableOf(costs: readonly Cost[]): Findings["tables"][number] {
  return {
    title: "Batch of ten",
    columns: [
      "Case",
      "Groups",
      "Consumer",
      "Calls",
      "Handled",
      "Writes / record",
      "Write units / record",
      "Read units / record",
    ],
    rows: costs
      .toSorted((a, b) => a.groups - b.groups || order(a) - order(b))
      .map((cost) => [
        cost.scenario,
        String(cost.groups),
        cost.contender,
        String(cost.calls),
        String(cost.handled),
        perRecord(writeCalls(cost), cost).toFixed(2),
        perRecord(cost.writeUnits, cost).toFixed(2),
        perRecord(cost.readUnits, cost).toFixed(2),
      ]),
  };
}

const ORDER = ["first receive", "received again, all done", "the 4th fails"];

function order({ scenario }: Cost): number {
  const place = ORDER.indexOf(scenario);
  return place < 0 ? ORDER.length : place;
}

function writeCalls({ operations }: Cost): number {
  return Object.entries(operations)
    .filter(([operation]) => !["GetItem", "BatchGetItem", "Query"].includes(operation))
    .reduce((sum, [, calls]) => sum + calls, 0);
}

/** Records of the batch: what a failure left of ten is a batch of its own. */
function perRecord(figure: number, { contender, groups, scenario }: Cost): number {
  if (scenario !== "what it left, received again") return figure / BATCH_RECORDS;
  return figure / leftOver(contender, groups);
}

function leftOver(_: ContenderName, groups: number): number {
  return groups === 1 ? BATCH_RECORDS - 3 : 1;
}

function targetsOf(costs: readonly Cost[]): Findings["targets"] {
  const first = (contender: ContenderName, groups: number): Cost => {
    const found = costs.find(
      (cost) =>
        cost.contender === contender && cost.groups === groups && cost.scenario === "first receive",
    );
    if (found === undefined) throw new Error(`Expected a cost of ${contender}, ${groups} groups`);
    return found;
  };
  const units = (contender: ContenderName, groups: number): number =>
    first(contender, groups).writeUnits / BATCH_RECORDS;
  return [
    atMost("write units a record, one group: 0.1", units("backlogorder", 1), 0.1),
    atMost("write units a record, ten groups: 1.0", units("backlogorder", 10), 1),
    atMost("reads on the first receive: 0", first("backlogorder", 1).readUnits, 0, 0),
    atMost(
      "of Powertools' units, one group: 0.05",
      units("backlogorder", 1) / units("powertools", 1),
      0.05,
    ),
  ];
}
