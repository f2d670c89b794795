import { BatchGetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { GetEventSourceMappingCommand, InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { mockClient } from "aws-sdk-client-mock";
import { MINUTE, NOW } from "../letters/letters.ts";
import { OPERATIONS } from "../parameters.ts";
import { dynamoDb, setBacklog } from "../stage.ts";

export const lambda = mockClient(LambdaClient);
const sts = mockClient(STSClient);

export const WHO = "arn:aws:sts::123456789012:assumed-role/operator/jo";

/** The ledger's item of a paused consumer. */
export const PAUSE = {
  pk: { S: "lock" },
  sk: { S: "consumer" },
  who: { S: WHO },
  paused: { BOOL: true },
  why: { S: "catalogue is being mended" },
  ticket: { S: "OPS-1" },
  since: { N: String(NOW - 5 * MINUTE) },
};

/** The ledger's item of a running replay. */
export const LEASE = {
  pk: { S: "lock" },
  sk: { S: "replay" },
  runId: { S: "run-1" },
  who: { S: WHO },
  since: { N: String(NOW - MINUTE) },
  leaseExpiresAt: { N: String(NOW + 10 * MINUTE) },
};

type Locks = readonly (typeof PAUSE | typeof LEASE)[];

/** A backlog whose mapping goes through these states, one for each look, the last for ever; and whose
 *  ledger holds these locks. */
export function setConsumer({
  states = ["Enabled"],
  locks = [],
  ...backlog
}: Parameters<typeof setBacklog>[0] & {
  readonly states?: readonly string[];
  readonly locks?: Locks;
}) {
  setBacklog(backlog);
  for (const mock of [lambda, sts]) mock.reset();
  sts.on(GetCallerIdentityCommand).resolves({ Arn: WHO });
  const lockOf = (wanted: string) => locks.find(({ sk }) => sk.S === wanted);
  dynamoDb
    .on(QueryCommand)
    .callsFake(({ ExpressionAttributeValues: { ":sk": sk } }) => {
      const item = sk && lockOf(sk.S);
      return { Items: item === undefined ? [] : [item] };
    })
    .on(BatchGetItemCommand)
    .callsFake(({ RequestItems }) => {
      const [{ sk }] = RequestItems[OPERATIONS.ledgerTable].Keys;
      const item = lockOf(sk.S);
      return { Responses: { [OPERATIONS.ledgerTable]: item === undefined ? [] : [item] } };
    });
  const answers = [...states];
  lambda
    .on(GetEventSourceMappingCommand, { UUID: OPERATIONS.mapping })
    .callsFake(() => ({ State: answers.length > 1 ? answers.shift() : answers[0] }))
    .on(InvokeCommand, { FunctionName: OPERATIONS.replay })
    .resolves({ Payload: Buffer.from(JSON.stringify({ state: "asked" })) } as never);
}

/** What the replay function was asked, in order. */
export function requests() {
  return lambda
    .commandCalls(InvokeCommand)
    .map(({ firstArg }) => JSON.parse(String(firstArg.input.Payload)));
}
