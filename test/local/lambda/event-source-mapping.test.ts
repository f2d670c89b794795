import { createHash } from "node:crypto";
import type { SQSRecord } from "aws-lambda";
import { describe, expect, it, vi } from "vitest";
import { functionOf } from "./function-bundle.ts";
import { MAPPING, mappedQueue } from "./mapped-queue.ts";

const eventually = (condition: () => unknown) =>
  vi.waitFor(condition, { timeout: 10_000, interval: 20 });

/** Logs the bodies of each batch with their receive counts. */
const LOG_BATCH =
  'console.log(JSON.stringify(event.Records.map((r) => r.body + "#" + r.attributes.ApproximateReceiveCount)));';
const FAIL_FROM = (body: string, upTo: number) =>
  `const from = event.Records.findIndex((r) => r.body === "${body}" && Number(r.attributes.ApproximateReceiveCount) <= ${upTo});
   return { batchItemFailures: from < 0 ? [] : event.Records.slice(from).map((r) => ({ itemIdentifier: r.messageId })) };`;
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

describe("an event source mapping", { timeout: 20_000 }, () => {
  it("hands the function records in the shape of Lambda's SQS events", async () => {
    const queue = await mappedQueue(functionOf("console.log(JSON.stringify(event));"));
    await queue.sendWith("guild-7/grant", {
      id: { DataType: "String", StringValue: "grant-1" },
      enqueuedAt: { DataType: "Number", StringValue: "1764000000000" },
      key: { DataType: "Binary", BinaryValue: Buffer.from([0, 255]) },
    });
    await eventually(() => expect(queue.seen).toHaveLength(1));
    const [event] = queue.seen as { Records: SQSRecord[] }[];
    expect(event?.Records).toEqual([
      {
        messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        receiptHandle: expect.any(String),
        body: "grant",
        attributes: {
          ApproximateReceiveCount: "1",
          ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
          SentTimestamp: expect.stringMatching(/^\d{13}$/),
          SenderId: expect.any(String),
          MessageGroupId: "guild-7",
          MessageDeduplicationId: "1",
          SequenceNumber: expect.stringMatching(/^\d{20}$/),
        },
        messageAttributes: {
          id: attributeOf({ dataType: "String", stringValue: "grant-1" }),
          enqueuedAt: attributeOf({ dataType: "Number", stringValue: "1764000000000" }),
          key: attributeOf({ dataType: "Binary", binaryValue: "AP8=" }),
        },
        md5OfBody: md5("grant"),
        md5OfMessageAttributes: expect.stringMatching(/^[0-9a-f]{32}$/),
        eventSource: "aws:sqs",
        eventSourceARN: queue.queueArn,
        awsRegion: "us-east-1",
      },
    ]);
  });

  it("deletes what succeeded and brings the reported rest back in order, all counted", async () => {
    const queue = await mappedQueue(functionOf(`${LOG_BATCH} ${FAIL_FROM("b", 1)}`));
    await queue.send("a", "b", "c");
    await eventually(() => expect(queue.seen.flat()).toEqual(["a#1", "b#1", "c#1", "b#2", "c#2"]));
    expect(queue.seen[0]).toEqual(["a#1", "b#1", "c#1"]);
    await eventually(async () => expect(await queue.waiting()).toBe(0));
  });

  it("lets other groups go on while one fails, and never runs a group twice at once", async () => {
    const queue = await mappedQueue(
      functionOf(
        `const groups = [...new Set(event.Records.map((r) => r.attributes.MessageGroupId))];
         console.log(JSON.stringify({ kind: "begin", groups }));
         await new Promise((done) => setTimeout(done, 50));
         for (const r of event.Records) console.log(JSON.stringify({ kind: "saw", body: r.body }));
         console.log(JSON.stringify({ kind: "end", groups }));
         ${FAIL_FROM("bad", 2)}`,
      ),
      { batchSize: 2 },
    );
    await queue.send("1/a1", "2/bad", "3/c1", "1/a2", "2/b2", "3/c2");
    await queue.send("1/a3", "2/b3", "3/c3");
    await eventually(async () => expect(await queue.waiting()).toBe(0));

    const events = queue.seen as { kind: string; groups: string[]; body: string }[];
    const saw = events.filter(({ kind }) => kind === "saw").map(({ body }) => body);
    expect(saw.filter((body) => body.startsWith("a"))).toEqual(["a1", "a2", "a3"]);
    expect(saw.filter((body) => body.startsWith("c"))).toEqual(["c1", "c2", "c3"]);
    expect(saw.filter((body) => body === "bad")).toHaveLength(3);
    const afterBad = saw.slice(saw.lastIndexOf("bad"));
    expect(afterBad.filter((body) => body.startsWith("b"))).toEqual(["bad", "b2", "b3"]);
    expect(saw.lastIndexOf("bad")).toBeGreaterThan(saw.indexOf("c3"));

    const running = new Set<string>();
    for (const { kind, groups } of events.filter(({ kind }) => kind !== "saw")) {
      for (const group of groups) {
        expect(running.has(group)).toBe(kind === "end");
        if (kind === "begin") running.add(group);
        else running.delete(group);
      }
    }
  });

  it.each([
    { body: 'throw new Error("boom");', why: "it throws" },
    { body: "process.exit(1);", why: "its process ends" },
    {
      body: 'return { batchItemFailures: [{ itemIdentifier: "who" }] };',
      why: "it names no message",
    },
  ])("brings the whole batch back after the visibility timeout if $why", async ({ body }) => {
    const queue = await mappedQueue(
      functionOf(
        `const { ApproximateReceiveCount, ApproximateFirstReceiveTimestamp } = event.Records[0].attributes;
         console.log(JSON.stringify({
           bodies: event.Records.map((r) => r.body),
           afterMs: Date.now() - Number(ApproximateFirstReceiveTimestamp),
         }));
         if (ApproximateReceiveCount === "1") { ${body} }`,
      ),
    );
    await queue.send("a", "b");
    await eventually(async () => expect(await queue.waiting()).toBe(0));
    const batches = queue.seen as { bodies: string[]; afterMs: number }[];
    expect(batches.map(({ bodies }) => bodies)).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    expect(batches[1]?.afterMs).toBeGreaterThanOrEqual(1000);
  });

  it("leaves messages to the redrive policy while the function cannot start", async () => {
    const props = { ...functionOf(""), handler: "missing.handler" };
    const queue = await mappedQueue(props, { maxReceiveCount: 2 });
    await queue.send("a", "b");
    const letters: (string | undefined)[] = [];
    await eventually(async () => {
      letters.push(...(await queue.letters()).map(({ Body }) => Body));
      expect(letters).toEqual(["a", "b"]);
    });
    expect(await queue.waiting()).toBe(0);
    expect(queue.invocations.map(({ outcome }) => outcome)).toEqual(["error", "error"]);
  });

  it("handles no more batches at once than it may", async () => {
    const queue = await mappedQueue(
      functionOf("await new Promise((done) => setTimeout(done, 100));"),
      { maximumConcurrency: 2, batchSize: 1 },
    );
    await queue.send(...Array.from({ length: 10 }, (_, index) => `${index}/event`));
    await eventually(async () => expect(await queue.waiting()).toBe(0));
    expect(Math.max(...queue.invocations.map(({ concurrent }) => concurrent))).toBe(2);
  });

  it("does not run a group again beside itself when its messages were made visible", async () => {
    const queue = await mappedQueue(
      functionOf(
        `console.log(JSON.stringify("begin"));
         const { receiptHandle, attributes } = event.Records[0];
         if (attributes.ApproximateReceiveCount === "1") {
           await fetch(process.env.AWS_ENDPOINT_URL_SQS, {
             method: "POST",
             headers: { "x-amz-target": "AmazonSQS.ChangeMessageVisibility", "content-type": "application/x-amz-json-1.0" },
             body: JSON.stringify({ QueueUrl: process.env.QUEUE_URL, ReceiptHandle: receiptHandle, VisibilityTimeout: 0 }),
           });
           await new Promise((done) => setTimeout(done, 300));
         }
         console.log(JSON.stringify("end"));
         return { batchItemFailures: attributes.ApproximateReceiveCount === "1" ? [{ itemIdentifier: event.Records[0].messageId }] : [] };`,
      ),
      { visibilitySeconds: 5 },
    );
    await queue.send("a");
    await eventually(async () => expect(await queue.waiting()).toBe(0));
    expect(queue.seen).toEqual(["begin", "end", "begin", "end"]);
  });

  it("takes no messages that no execution environment is free for", async () => {
    const queue = await mappedQueue(
      functionOf("await new Promise((done) => setTimeout(done, 400));"),
      { lambda: { concurrency: 1 }, visibilitySeconds: 5, batchSize: 1, maximumConcurrency: 2 },
    );
    await queue.send("1/a", "2/b", "3/c");
    await eventually(async () => expect(await queue.waiting()).toBe(0));
    expect(queue.invocations.map(({ outcome }) => outcome)).toEqual(Array(3).fill("success"));
  });
});

describe("closing Lambda", { timeout: 20_000 }, () => {
  it("ends the long polls without taking a message with them", async () => {
    const queue = await mappedQueue(functionOf(LOG_BATCH));
    await queue.send("a");
    await eventually(async () => expect(await queue.waiting()).toBe(0));
    const startedAtMs = performance.now();
    await queue.lambda.close();
    expect(performance.now() - startedAtMs).toBeLessThan(2000);
    await queue.send("b");
    expect(await queue.waiting()).toBe(1);
    expect(await queue.inFlight()).toBe(0);
  });

  it("leaves the messages of a killed invocation in the queue", async () => {
    const queue = await mappedQueue(functionOf('console.log("1"); for (;;);'), {
      visibilitySeconds: 30,
    });
    await queue.send("a", "b");
    await eventually(() => expect(queue.seen).toEqual([1]));
    await queue.lambda.close();
    expect(await queue.waiting()).toBe(2);
  });
});

describe("creating a mapping", { timeout: 20_000 }, () => {
  it("refuses what Lambda refuses", async () => {
    const { lambda, queueArn } = await mappedQueue(functionOf(""));
    const mapping = {
      functionName: "game",
      queueUrl: "http://127.0.0.1/000000000000/events.fifo",
      queueArn,
      batchSize: 10,
      maximumConcurrency: 2,
      reportBatchItemFailures: true,
    };
    const refused = (given: object) =>
      expect(lambda.createMapping({ ...mapping, ...given })).rejects;
    await refused({ batchSize: 11 }).toThrow("`BatchSize` to be a whole number from 1 to 10");
    await refused({ maximumConcurrency: 1 }).toThrow("`MaximumConcurrency`");
    await refused({ functionName: "shop" }).toThrow("Function not found");
    await refused({ uuid: MAPPING }).toThrow("Mapping already exists");
    lambda.createFunction(functionOf("", { name: "slow", timeoutSeconds: 2 }));
    await refused({ functionName: "slow" }).toThrow(
      "Queue visibility timeout: 1 seconds is less than Function timeout: 2 seconds",
    );
  });
});

function attributeOf(given: object): object {
  return { stringListValues: [], binaryListValues: [], ...given };
}
