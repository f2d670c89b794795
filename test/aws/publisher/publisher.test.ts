import { SQSClient } from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import { Publisher, publisherFor } from "../../../lambdas/aws/publisher/publisher.ts";
import { partitionOf } from "../../../lambdas/core/partition.ts";
import type { OutgoingRecord } from "../../../lambdas/core/wire/outgoing.ts";
import {
  at,
  failureOf,
  idsIn,
  KEYS,
  keysOf,
  PARTITIONS,
  publisherStage,
  QUEUE_URL,
  type RequestFate,
} from "./publisher-stage.ts";

describe("publishing", () => {
  it("gives each record its partition and offset, in the order given", async () => {
    const { clock, publisher } = publisherStage();
    const { accepted } = await clock.run(
      publisher.publish([at(5, "a"), at(7, "b"), { key: KEYS[5] ?? "", payload: "c" }]),
    );
    expect(accepted).toEqual([
      { index: 0, id: "a", partition: 5, offset: "18849496460467696128", messageId: "message-a" },
      { index: 1, id: "b", partition: 7, offset: "18849496460467696129", messageId: "message-b" },
      {
        index: 2,
        id: "made-1",
        partition: 5,
        offset: "18849496460467696130",
        messageId: "message-made-1",
      },
    ]);
  });

  it("sends what docs/wire-format.md says, attributes of the game included", async () => {
    const { clock, publisher, queue } = publisherStage();
    const shard = { dataType: "Binary.raw", binaryValue: Uint8Array.of(7) };
    await clock.run(
      publisher.publish([{ ...at(5, "a b"), payload: "gold", attributes: { shard } }]),
    );
    expect(queue.requests[0]?.entries).toEqual([
      {
        Id: "0",
        MessageBody: "gold",
        MessageGroupId: "5",
        MessageDeduplicationId: "c8687a08aa5d6ed2044328fa6a697ab8e96dc34291e8c2034ae8c38e6fcc6d65",
        MessageAttributes: {
          id: { DataType: "String", StringValue: "a b" },
          key: { DataType: "String", StringValue: KEYS[5] },
          enqueuedAt: { DataType: "Number", StringValue: "1700000000000" },
          shard: { DataType: "Binary.raw", BinaryValue: Uint8Array.of(7) },
        },
      },
    ]);
  });

  it("makes a UUIDv7 for each record that brings no id", async () => {
    const { clock, client } = publisherStage();
    const publisher = new Publisher({ client, queueUrl: QUEUE_URL, partitions: 64, clock });
    const { accepted } = await clock.run(
      publisher.publish([
        { key: "k", payload: "same" },
        { key: "k", payload: "same" },
      ]),
    );
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    for (const { id } of accepted) expect(id).toMatch(uuid);
    expect(new Set(idsIn(accepted)).size).toBe(2);
  });

  it("sends nothing for no records", async () => {
    const { publisher, queue } = publisherStage();
    expect(await publisher.publish([])).toEqual({ accepted: [] });
    expect(queue.requests).toEqual([]);
  });
});

describe("batches", () => {
  it("are nearly all full with random keys over 64 partitions, and keep every order", async () => {
    const latency = (nth: number): RequestFate => ({
      kind: "answered",
      afterMs: 5 + ((nth * 7919) % 20),
    });
    const { clock, publisher, queue } = publisherStage({ request: latency });
    const records = Array.from({ length: 4000 }, (_, n) => ({
      key: `player:${(n * 48_271) % 9973}`,
      payload: "x",
      id: `r${n}`,
    }));
    const { accepted } = await clock.run(publisher.publish(records));
    expect(accepted).toHaveLength(records.length);
    expect(queue.overlaps).toEqual([]);
    expect(queue.mostAtOnce).toBeLessThanOrEqual(16);
    expect(Math.max(...queue.requests.map(({ ids }) => ids.length))).toBe(10);
    expect(records.length / queue.requests.length).toBeGreaterThan(9.7);
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const given = records.filter(({ key }) => partitionOf(key, PARTITIONS) === partition);
      expect(queue.idsOf(partition)).toEqual(idsIn(given));
    }
  });

  it("run side by side, at most 16 at once", async () => {
    const { clock, publisher, queue } = publisherStage(
      { request: () => ({ kind: "answered", afterMs: 50 }) },
      500,
    );
    const records = keysOf(500).map((key, n) => ({ key, payload: "x", id: `r${n}` }));
    const startMs = clock.nowMs();
    await clock.run(publisher.publish(records));
    expect(queue.mostAtOnce).toBe(16);
    expect(queue.requests).toHaveLength(50);
    expect(clock.nowMs() - startMs).toBe(200);
  });

  it("stay below the bytes of a request, and small records fill what large ones leave", async () => {
    const { clock, publisher, queue } = publisherStage();
    const large = Array.from({ length: 4 }, (_, n) => at(n, `large-${n}`, "x".repeat(400_000)));
    const small = Array.from({ length: 16 }, (_, n) => at(10 + n, `small-${n}`));
    await clock.run(publisher.publish([...large, ...small]));
    expect(queue.requests).toHaveLength(2);
    for (const { bytes, ids } of queue.requests) {
      expect(bytes).toBeLessThanOrEqual(1_048_576);
      expect(ids).toHaveLength(10);
    }
  });

  it("of the largest records have one entry each", async () => {
    const { clock, publisher, queue } = publisherStage();
    const records = [1, 2, 3].map((n) => at(n, `r${n}`, "x".repeat(1_044_000)));
    await clock.run(publisher.publish(records));
    expect(queue.requests.map(({ ids }) => ids.length)).toEqual([1, 1, 1]);
  });

  it("are shared by calls under way at once, which keep their order in a partition", async () => {
    const { clock, publisher, queue } = publisherStage();
    const calls = Array.from({ length: 20 }, (_, n) => publisher.publish([at(n % 10, `r${n}`)]));
    await clock.run(Promise.all(calls));
    expect(queue.requests.map(({ ids }) => ids.length)).toEqual([10, 10]);
    expect(queue.idsOf(3)).toEqual(["r3", "r13"]);
  });

  it("that are small wait for company no longer than 20 ms", async () => {
    const slowFirst = (nth: number): RequestFate => ({
      kind: "answered",
      afterMs: nth === 1 ? 5000 : 1,
    });
    const { clock, publisher, queue } = publisherStage({ request: slowFirst });
    const startMs = clock.nowMs();
    const first = publisher.publish([at(1, "slow")]);
    await clock.run(clock.sleep(10));
    const second = publisher.publish([at(2, "quick")]);
    await clock.run(Promise.all([first, second]));
    expect(queue.requests.map(({ atMs }) => atMs - startMs)).toEqual([0, 30]);
  });
});

describe("a record that breaks a rule", () => {
  it.each<{ why: string; record: OutgoingRecord; says: string }>([
    { why: "an empty key", record: { ...at(1, "bad"), key: "" }, says: "`key`" },
    { why: "a lone surrogate", record: { ...at(1, "bad"), key: "\ud800" }, says: "surrogates" },
    {
      why: "too large",
      record: at(1, "bad", "x".repeat(1_044_480)),
      says: "at most 1044480 bytes",
    },
    {
      why: "a reserved attribute",
      record: { ...at(1, "bad"), attributes: { id: { dataType: "String", stringValue: "x" } } },
      says: "reserved",
    },
    { why: "a used id", record: at(2, "first"), says: "an id of its own, got that of record 0" },
  ])("keeps the whole call from being sent: $why", async ({ record, says }) => {
    const { publisher, queue } = publisherStage();
    const error = await failureOf(publisher.publish([at(1, "first"), record, at(1, "last")]));
    expect(error.refused).toEqual([
      { index: 1, id: record.id, reason: expect.stringContaining(says) },
    ]);
    expect(idsIn(error.unsent)).toEqual(["first", "last"]);
    expect(error.unsent[0]?.reason).toContain("nothing of this call was sent");
    expect(error.message).toContain(`nothing was sent: ${record.id}: `);
    expect([...error.accepted, ...error.failed]).toEqual([]);
    expect(queue.requests).toEqual([]);
  });

  it("is named by index and made id where it brings none, a few of them in the text", async () => {
    const { publisher } = publisherStage();
    const records = Array.from({ length: 7 }, () => ({ key: "", payload: "x" }));
    const error = await failureOf(publisher.publish(records));
    expect(error.refused.map(({ index, id }) => [index, id])).toEqual(
      records.map((_, n) => [n, `made-${n + 1}`]),
    );
    expect(error.message).toContain("And 2 more, listed in the error");
  });
});

describe("a publisher", () => {
  const client = new SQSClient({});

  it("is refused for a queue that keeps no order, or a count that is none", () => {
    const make = (queueUrl: string, partitions: number) => () =>
      new Publisher({ client, queueUrl, partitions });
    expect(make("https://sqs.us-east-1.amazonaws.com/1/source", 64)).toThrow("got `https://sqs");
    expect(make(QUEUE_URL, 0)).toThrow(RangeError);
  });

  it("comes from the backlog's parameter and uses its queue and count", async () => {
    const { clock, client, queue } = publisherStage();
    const json = JSON.stringify({ wire: 1, queueUrl: QUEUE_URL, partitions: 8, hash: "fnv1a-32" });
    const publisher = publisherFor(json, client, { clock });
    await clock.run(publisher.publish([{ key: "order-1", payload: "x" }]));
    expect(queue.idsOf(5)).toHaveLength(1);
  });

  it("is refused where the parameter names another hash or wire format", () => {
    const parameter = { wire: 1, queueUrl: QUEUE_URL, partitions: 8, hash: "fnv1a-32" };
    const from = (given: object) => () =>
      publisherFor(JSON.stringify({ ...parameter, ...given }), client);
    expect(from({ hash: "crc32" })).toThrow('`hash` to be "fnv1a-32", got "crc32"');
    expect(from({ wire: 2 })).toThrow("`wire` to be 1, got 2");
  });
});
