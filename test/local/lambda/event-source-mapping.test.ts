import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GetEventSourceMappingCommand, LambdaClient } from "@aws-sdk/client-lambda";
import type { SQSRecord } from "aws-lambda";
import { describe, expect, it, vi } from "vitest";
import type { Lambda } from "../../../local/lambda/server.ts";
import { bundleOf, functionOf } from "./function-bundle.ts";
import { MAPPING, mappedQueue, VISIBILITY_SECONDS } from "./mapped-queue.ts";

const eventually = (condition: () => unknown) =>
  vi.waitFor(condition, { timeout: 10_000, interval: 20 });

/** Logs the bodies of each batch with their receive counts. */
const LOG_BATCH =
  'console.log(JSON.stringify(event.Records.map((r) => r.body + "#" + r.attributes.ApproximateReceiveCount)));';
const FAIL_FROM = (body: string, upTo: number) =>
  `const from = event.Records.findIndex((r) => r.body === "${body}" && Number(r.attributes.ApproximateReceiveCount) <= ${upTo});
   return { batchItemFailures: from < 0 ? [] : event.Records.slice(from).map((r) => ({ itemIdentifier: r.messageId })) };`;
const md5 = (text: string) => createHash("md5").update(text).digest("hex");

async function result({ url }: Lambda): Promise<string | undefined> {
  const client = new LambdaClient({ endpoint: url });
  const command = new GetEventSourceMappingCommand({ UUID: MAPPING });
  const { LastProcessingResult } = await client.send(command);
  client.destroy();
  return LastProcessingResult;
}

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
    await queue.timeOut({ invocations: 1, waiting: 2 });
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
    const events = queue.seen as { kind: string; groups: string[]; body: string }[];
    for (const failures of [1, 2]) {
      // All other groups are through, and nothing runs any more.
      await eventually(async () => {
        expect(events.filter(({ body }) => body === "bad")).toHaveLength(failures);
        expect(await queue.waiting()).toBe(3);
        const begun = events.filter(({ kind }) => kind === "begin");
        expect(queue.invocations).toHaveLength(begun.length);
      });
      queue.pass(VISIBILITY_SECONDS);
    }
    await eventually(async () => expect(await queue.waiting()).toBe(0));

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
        `${LOG_BATCH}
         if (event.Records[0].attributes.ApproximateReceiveCount === "1") { ${body} }`,
      ),
    );
    await queue.send("a", "b");
    await eventually(() => expect(queue.invocations).toHaveLength(1));
    await eventually(async () => expect(await result(queue.lambda)).toMatch(/^PROBLEM/));
    queue.pass(VISIBILITY_SECONDS - 0.001);
    // Dealt with, and hidden still: the timeout has to run out.
    expect([await queue.waiting(), await queue.inFlight()]).toEqual([2, 2]);
    queue.pass(0.001);
    await eventually(async () => expect(await queue.waiting()).toBe(0));
    expect(queue.seen).toEqual([
      ["a#1", "b#1"],
      ["a#2", "b#2"],
    ]);
  });

  it("leaves messages to the redrive policy while the function cannot start", async () => {
    const props = { ...functionOf(""), handler: "missing.handler" };
    const queue = await mappedQueue(props, { maxReceiveCount: 2 });
    await queue.send("a", "b");
    await queue.timeOut({ invocations: 1, waiting: 2 });
    await queue.timeOut({ invocations: 2, waiting: 2 });
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
    );
    await queue.send("a");
    await eventually(async () => expect(await queue.waiting()).toBe(0));
    expect(queue.seen).toEqual(["begin", "end", "begin", "end"]);
  });

  it("takes messages for no more batches than it may have at once; one for which Lambda has no room waits, received", async () => {
    const gate = join(bundleOf(""), "open");
    const queue = await mappedQueue(
      functionOf(
        `console.log(JSON.stringify("begin"));
         const { existsSync } = await import("node:fs");
         while (!existsSync("${gate}")) await new Promise((done) => setTimeout(done, 10));`,
      ),
      { lambda: { concurrency: 1 }, batchSize: 1, maximumConcurrency: 2 },
    );
    await queue.send("1/a", "2/b", "3/c");
    await eventually(async () => expect(await queue.inFlight()).toBe(2));
    await eventually(() => expect(queue.seen).toEqual(["begin"]));
    // A poll too many would be answered with it.
    await queue.send("4/d");
    expect([await queue.waiting(), await queue.inFlight()]).toEqual([4, 2]);
    expect(queue.seen).toEqual(["begin"]);
    writeFileSync(gate, "");
    await eventually(async () => expect(await queue.waiting()).toBe(0));
    expect(queue.invocations).toEqual(
      Array(4).fill(expect.objectContaining({ outcome: "success", concurrent: 1 })),
    );
  });
});

describe("closing Lambda", { timeout: 20_000 }, () => {
  it("ends the long polls without taking a message with them", async () => {
    const queue = await mappedQueue(functionOf(LOG_BATCH));
    await queue.send("a");
    await eventually(async () => expect(await queue.waiting()).toBe(0));
    // The queue's time stands still: a poll that is not ended would never end.
    await queue.lambda.close();
    await queue.send("b");
    expect(await queue.waiting()).toBe(1);
    expect(await queue.inFlight()).toBe(0);
  });

  it("leaves the messages of a killed invocation in the queue", async () => {
    const queue = await mappedQueue(functionOf('console.log("1"); for (;;);'));
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
    const timeoutSeconds = VISIBILITY_SECONDS + 1;
    lambda.createFunction(functionOf("", { name: "slow", timeoutSeconds }));
    await refused({ functionName: "slow" }).toThrow(
      "Queue visibility timeout: 60 seconds is less than Function timeout: 61 seconds",
    );
  });
});

function attributeOf(given: object): object {
  return { stringListValues: [], binaryListValues: [], ...given };
}
