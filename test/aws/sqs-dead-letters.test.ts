import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { SqsDeadLetters } from "../../lambdas/aws/sqs-dead-letters.ts";
import { delivery } from "../core/drain/drain-stage.ts";

const sqs = mockClient(SQSClient);
const letters = new SqsDeadLetters({ client: new SQSClient({}), queueUrl: "letters" });
const facts = {
  id: "a",
  partition: 5,
  offset: "7",
  generation: 0,
  attempts: 3,
  reason: "no such item",
  failedAtMs: 2,
  enqueuedAtMs: 1,
};

const sent = () => sqs.commandCalls(SendMessageCommand)[0]?.args[0].input;

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageCommand).resolves({});
});

describe("a dead letter", () => {
  it("carries body and attributes untouched and its facts in one attribute", async () => {
    await letters.send(delivery({ id: "a" }), facts);
    expect(sent()).toMatchObject({ MessageBody: "payload of a", MessageGroupId: "a" });
    const attributes = sent()?.MessageAttributes ?? {};
    expect(Object.keys(attributes).toSorted()).toEqual(["deadLetter", "enqueuedAt", "id", "key"]);
    expect(JSON.parse(attributes["deadLetter"]?.StringValue ?? "")).toEqual({
      partition: 5,
      offset: "7",
      generation: 0,
      attempts: 3,
      reason: "no such item",
      failedAt: 2,
      enqueuedAt: 1,
    });
  });

  it("has its facts in place of a replay's mark", async () => {
    await letters.send(delivery({ id: "a", generation: 1 }), { ...facts, generation: 1 });
    expect(Object.keys(sent()?.MessageAttributes ?? {})).not.toContain("replay");
  });

  it("is another message to SQS in another generation and as another message", async () => {
    const ids = new Set<string | undefined>();
    for (const generation of [0, 1]) {
      for (const messageId of ["m1", "m2"]) {
        sqs.resetHistory();
        await letters.send(delivery({ id: "a", messageId }), { ...facts, generation });
        ids.add(sent()?.MessageDeduplicationId);
      }
    }
    expect(ids.size).toBe(4);
  });

  it.each([
    { why: "it has ten attributes already", made: { extra: tenAttributes() } },
    { why: "it is as large as SQS allows", made: { body: "x".repeat(1_048_450) } },
  ])("goes unchanged when $why", async ({ made }) => {
    const message = delivery({ id: "a", ...made });
    await letters.send(message, facts);
    expect(Object.keys(sent()?.MessageAttributes ?? {})).toEqual(Object.keys(message.attributes));
  });
});

function tenAttributes() {
  return Object.fromEntries(
    Array.from({ length: 7 }, (_, n) => [`own${n}`, { dataType: "String", stringValue: "x" }]),
  );
}
