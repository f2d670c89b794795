import { BatchGetItemCommand } from "@aws-sdk/client-dynamodb";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { mockClient } from "aws-sdk-client-mock";
import type { RunResult } from "../../../cli/replay/run-result.ts";
import type { PlannedLetter, ReplayPlan } from "../../../lambdas/core/replay/plan-replay.ts";
import { DAY, MINUTE, NOW } from "../letters/letters.ts";
import { OPERATIONS } from "../parameters.ts";
import { dynamoDb, setBacklog } from "../stage.ts";

export const lambda = mockClient(LambdaClient);
const sts = mockClient(STSClient);

export const WHO = "arn:aws:sts::123456789012:assumed-role/operator/jo";

export type Request = Readonly<Record<string, unknown>> & { readonly operation: string };

/** Throw it to have the function fail as Lambda tells it. */
export class FunctionFailure extends Error {
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}

/**
 * A backlog whose replay function answers by operation. An array is answered one after another, its
 * last entry for ever; an error that is no FunctionFailure is AWS's own.
 */
export function setReplay(
  answers: Readonly<Record<string, unknown>>,
  backlog: Parameters<typeof setBacklog>[0] = {},
): readonly Request[] {
  setBacklog(backlog);
  for (const mock of [lambda, sts]) mock.reset();
  sts.on(GetCallerIdentityCommand).resolves({ Arn: WHO });
  const requests: Request[] = [];
  lambda.on(InvokeCommand).callsFake(async ({ FunctionName, Payload }) => {
    if (FunctionName !== OPERATIONS.replay) throw new Error(`unknown function ${FunctionName}`);
    const request: Request = JSON.parse(Payload);
    const before = requests.filter(({ operation }) => operation === request.operation).length;
    requests.push(request);
    const given = answers[request.operation];
    const answer = Array.isArray(given) ? given[Math.min(before, given.length - 1)] : given;
    const value = typeof answer === "function" ? await answer(request) : answer;
    if (value instanceof FunctionFailure) {
      const { errorType, message } = value;
      return payloadOf({ errorType, errorMessage: message }, "Unhandled");
    }
    if (value instanceof Error) throw value;
    return payloadOf(value);
  });
  return requests;
}

/** The ledger says that this run has the lease, or none. */
export function setLease(
  given: { readonly who: string; readonly cancelled?: boolean } | undefined,
) {
  const item = given && {
    pk: { S: "lock" },
    sk: { S: "replay" },
    runId: { S: "run-1" },
    who: { S: given.who },
    since: { N: String(NOW - 2 * MINUTE) },
    leaseExpiresAt: { N: String(LEASE_ENDS) },
    ...(given.cancelled && { cancelledRunId: { S: "run-1" } }),
  };
  const found = item === undefined ? [] : [item];
  dynamoDb.on(BatchGetItemCommand).resolves({ Responses: { [OPERATIONS.ledgerTable]: found } });
}

/** Later than the clock of any test run: an interrupted command looks at the real time. */
const LEASE_ENDS = Date.parse("9999-01-01T00:00:00Z");

export function plannedLetter(given: Partial<PlannedLetter> = {}): PlannedLetter {
  return {
    id: "a",
    key: "player:1",
    partition: 1,
    offset: "10",
    generation: 0,
    attempts: 3,
    reason: "no item 4",
    failedAtMs: NOW - 5 * MINUTE,
    enqueuedAtMs: NOW - 10 * MINUTE,
    expiresAtMs: NOW + 3 * DAY,
    class: { kind: "ready" },
    ...given,
  };
}

/** A plan of these letters. */
export function planOf(
  letters: readonly PlannedLetter[],
  given: Partial<ReplayPlan> = {},
): ReplayPlan {
  const count = (kind: string) => letters.filter((letter) => letter.class.kind === kind).length;
  return {
    planId: "0198c2f4-7d1e-7c55-9b1f-0242ac120002",
    digest: "d1".repeat(32),
    takenAtMs: NOW - 1000,
    backlog: "grants",
    ledger: OPERATIONS.ledgerTable,
    filter: {},
    limit: null,
    overtaken: false,
    counts: {
      ready: count("ready"),
      overtaken: count("overtaken"),
      applied: count("applied"),
      cannotRun: count("cannot-run"),
      held: count("held"),
      expired: count("expired"),
    },
    unknown: 0,
    letters,
    omitted: 0,
    notListed: 0,
    truncated: false,
    ...given,
  };
}

export function resultOf(given: Partial<RunResult> = {}): RunResult {
  return {
    runId: "run-1",
    replayed: 0,
    skipped: 0,
    failed: [],
    pending: 0,
    errors: [],
    truncated: false,
    letters: [],
    left: { overtaken: 0, held: 0, cannotRun: 0, expired: 0 },
    ...given,
  };
}

function payloadOf(value: unknown, FunctionError?: string) {
  const Payload = Buffer.from(JSON.stringify(value));
  return { Payload, ...(FunctionError === undefined ? {} : { FunctionError }) } as never;
}
