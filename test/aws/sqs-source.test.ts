import { ChangeMessageVisibilityBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { expect, it } from "vitest";
import { SqsSource } from "../../lambdas/aws/sqs-source.ts";
import { batch } from "../core/drain/drain-stage.ts";

it("sets all visibilities in one request, the head last, so that it never comes back alone", async () => {
  const sqs = mockClient(SQSClient);
  sqs.on(ChangeMessageVisibilityBatchCommand).resolves({});
  const source = new SqsSource({ client: new SQSClient({}), queueUrl: "source" });
  await source.setVisibility(batch(["a", "b", "c"]), 4);
  const calls = sqs.commandCalls(ChangeMessageVisibilityBatchCommand);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.args[0].input.Entries?.map((entry) => entry.ReceiptHandle)).toEqual([
    "handle-c",
    "handle-b",
    "handle-a",
  ]);
  expect(calls[0]?.args[0].input.Entries?.map((entry) => entry.VisibilityTimeout)).toEqual([
    4, 4, 4,
  ]);
});
