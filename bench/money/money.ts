import { type Dollars, dollarsPerMillion, totalDollars } from "../../cli/capacity/record-cost.ts";
import { atMost, type FigureTable, type Findings, type Part } from "../measure/part.ts";
import { type Payer, USE_BY_FILL } from "./contenders.ts";

const FILLS = [1, 3, 10];
const HANDLERS_MS = [5, 20];
const PAYERS: readonly Payer[] = ["backlogorder", "powertools", "floor"];

/** Dollars per million records. */
export const MONEY_PART: Part = {
  name: "money",
  title: "Money",
  async run(): Promise<Findings> {
    return {
      method: METHOD,
      tables: HANDLERS_MS.map(tableOf),
      targets: [
        atMost(
          "of the floor, full batches, handler of 20 ms, without metrics: 1.25",
          ofFloor(20),
          1.25,
        ),
        atMost(
          "of the floor, full batches, handler of 5 ms, without metrics: 1.25",
          ofFloor(5),
          1.25,
        ),
      ],
      tried: tried(),
    };
  },
};

const METHOD = [
  "Dollars per million records in us-east-1 by how full the batches of one group are, with 512 MB on arm64, publishing in batches of ten, and 5 ms of waiting for one call of DynamoDB. A test holds the write units and calls of this table against the counted ones. The floor is SQS and Lambda alone, with nothing that remembers what was applied. The log column is the metrics line that this consumer writes once an invocation; the others write none. Prices: SQS FIFO $0.50 per million requests, Lambda $0.20 per million requests and $0.0000133334 per GB-second, DynamoDB on demand $0.625 per million write units, logs $0.50 per GB.",
];

function tried(): readonly string[] {
  const { ledger } = dollarsOf("backlogorder", 10, 5);
  const floor = totalDollars(dollarsOf("floor", 10, 5));
  return [
    "One batch entry is one write unit, the smallest thing that DynamoDB sells, and SQS FIFO hands out ten messages at most, so $0.0625 a million is the least that a memory written before each answer can cost. Above a handler of about 16 ms it is within 1.25 x of the floor; below, the floor itself is so cheap that it is not.",
    `At 5 ms the write unit alone, were the call to take no time, makes ${((floor + ledger) / floor).toFixed(2)} x of the floor: no change of this code can reach 1.25 there. The wait for the call is the only other part, a hundredth to two; the log line is not in the target.`,
  ];
}

function tableOf(handlerMs: number): FigureTable {
  return {
    title: `Handler of ${handlerMs} ms`,
    columns: [
      "Records in a batch",
      "Consumer",
      "SQS",
      "Lambda",
      "Ledger",
      "Log",
      "Total",
      "x floor",
    ],
    rows: FILLS.flatMap((fill) =>
      PAYERS.map((payer) => {
        const dollars = dollarsOf(payer, fill, handlerMs);
        const total = totalDollars(dollars);
        const { sqs, lambda, ledger, log } = dollars;
        const floor = totalDollars(dollarsOf("floor", fill, handlerMs));
        return [
          String(fill),
          payer === "floor" ? "SQS + Lambda alone" : payer,
          ...[sqs, lambda, ledger, log, total, total / floor].map((figure) => figure.toFixed(2)),
        ];
      }),
    ),
  };
}

function dollarsOf(payer: Payer, fill: number, handlerMs: number): Dollars {
  return dollarsPerMillion({ fill, handlerMs, ...USE_BY_FILL[payer](fill) });
}

/** What order and safety cost, the metrics for the alarms aside. */
function ofFloor(handlerMs: number): number {
  const { log, ...own } = dollarsOf("backlogorder", 10, handlerMs);
  return totalDollars({ ...own, log: 0 }) / totalDollars(dollarsOf("floor", 10, handlerMs));
}
