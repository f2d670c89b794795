import type { SQSEvent } from "aws-lambda";
import { backlogorderConsumer, type Consumer, LEDGER_TABLE } from "../contenders/backlogorder.ts";
import { batchOf } from "../contenders/batch.ts";
import { IDEMPOTENCY_TABLE, powertoolsConsumer } from "../contenders/powertools.ts";
import { type Counts, startCountedDynamoDb } from "../measure/counted-dynamodb.ts";

export type ContenderName = "backlogorder" | "powertools";

/** What one contender's batch of ten came to. */
export type Cost = Counts & {
  readonly contender: ContenderName;
  readonly groups: number;
  readonly scenario: ScenarioName;
  /** Handler calls. */
  readonly handled: number;
  /** Messages that were reported as failed. */
  readonly failures: number;
};

export type ScenarioName = keyof typeof SCENARIOS;

/** Each comes after what `before` names, on an empty table. */
const SCENARIOS = {
  "first receive": { before: undefined, receives: 1, failing: undefined },
  "received again, all done": { before: "first receive", receives: 2, failing: undefined },
  "the 4th fails": { before: undefined, receives: 1, failing: 3 },
  "what it left, received again": { before: "the 4th fails", receives: 2, failing: undefined },
} as const;

/** Counts every scenario for both contenders, a batch of ten in 1 and in 10 groups. */
export async function countLedgerCosts(): Promise<readonly Cost[]> {
  const costs: Cost[] = [];
  const dynamoDb = await startCountedDynamoDb([LEDGER_TABLE, IDEMPOTENCY_TABLE]);
  try {
    for (const contender of ["backlogorder", "powertools"] as const) {
      for (const groups of [1, 10]) {
        for (const scenario of Object.keys(SCENARIOS) as ScenarioName[]) {
          const name = `${contender}-${groups}-${costs.length}`;
          costs.push(await costOf({ contender, groups, scenario, name, dynamoDb }));
        }
      }
    }
  } finally {
    await dynamoDb.close();
  }
  return costs;
}

type Stage = Pick<Cost, "contender" | "groups" | "scenario"> & {
  readonly name: string;
  readonly dynamoDb: Awaited<ReturnType<typeof startCountedDynamoDb>>;
};

async function costOf({ contender, groups, scenario, name, dynamoDb }: Stage): Promise<Cost> {
  const { before, receives, failing } = SCENARIOS[scenario];
  let event = batchOf({ groups, name, receives });
  if (before !== undefined) {
    const earlier = batchOf({ groups, name });
    const answer = await run(contender, dynamoDb, earlier, SCENARIOS[before].failing);
    event = answer.failures === 0 ? event : onlyFailed(event, answer.failedIds);
  }
  let outcome: Outcome = { handled: 0, failures: 0, failedIds: new Set() };
  const counts = await dynamoDb.countsOf(async () => {
    outcome = await run(contender, dynamoDb, event, failing);
  });
  const { handled, failures } = outcome;
  return { ...counts, contender, groups, scenario, handled, failures };
}

type Outcome = Pick<Cost, "handled" | "failures"> & { readonly failedIds: ReadonlySet<string> };

async function run(
  contender: ContenderName,
  { client }: Stage["dynamoDb"],
  event: SQSEvent,
  failing: number | undefined,
): Promise<Outcome> {
  let handled = 0;
  const failingId = failing === undefined ? undefined : event.Records[failing]?.messageId;
  const handle = async (id: string): Promise<undefined> => {
    handled += 1;
    if (id === failingId) throw new Error("this one fails");
  };
  const consumer: Consumer =
    contender === "backlogorder"
      ? backlogorderConsumer({ client, handle: ({ id }) => handle(id) })
      : powertoolsConsumer({ client, handle: ({ messageId }) => handle(messageId) });
  const { batchItemFailures } = await consumer(event);
  const failedIds = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  return { handled, failures: failedIds.size, failedIds };
}

function onlyFailed({ Records }: SQSEvent, failedIds: ReadonlySet<string>): SQSEvent {
  return { Records: Records.filter(({ messageId }) => failedIds.has(messageId)) };
}
