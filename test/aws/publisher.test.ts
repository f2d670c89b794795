import { SQSClient, SQSServiceException } from "@aws-sdk/client-sqs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PublishError } from "../../lambdas/aws/publish-error.ts";
import { Publisher, publisherFor } from "../../lambdas/aws/publisher.ts";
import type { OutgoingRecord } from "../../lambdas/core/outgoing.ts";
import { partitionOf } from "../../lambdas/core/partition.ts";
import {
  type EntryFate,
  keysOf,
  PARTITIONS,
  publisherStage,
  QUEUE_URL,
  type RequestFate,
} from "./publisher-stage.ts";

const KEYS = keysOf();

const at = (partition: number, id: string, payload = id): OutgoingRecord => ({
  key: KEYS[partition] ?? "",
  payload,
  id,
});

/** SQS is not well for the moment, and says that it is not the sender's fault. */
const UNWELL: EntryFate = { failed: "InternalError", senderFault: false };

const serviceError = (name: string, $fault: "client" | "server") =>
  new SQSServiceException({ name, $fault, message: "sorry", $metadata: {} });

async function failureOf(published: Promise<unknown>): Promise<PublishError> {
  const error = await published.catch((thrown: unknown) => thrown);
  if (error instanceof PublishError) return error;
  throw new Error(`expected a PublishError, got ${error}`);
}

const idsIn = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

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

describe("a failure that may pass", () => {
  it("is tried again before anything later of its partition, alone of its request", async () => {
    const { clock, publisher, queue } = publisherStage({
      entry: (id, nth) => (id === "b" && nth === 1 ? UNWELL : "accepted"),
    });
    const records = [at(5, "a"), at(5, "b"), at(5, "c"), at(6, "d"), at(7, "e"), at(6, "f")];
    const { accepted } = await clock.run(publisher.publish(records));
    expect(idsIn(accepted)).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(queue.idsOf(5)).toEqual(["a", "b", "c"]);
    const sent = queue.requests.flatMap(({ ids }) => ids);
    expect(sent.filter((id) => id === "b")).toHaveLength(2);
    expect(sent).toHaveLength(7);
  });

  it("holds up no other partition", async () => {
    const { clock, publisher, queue } = publisherStage({
      entry: (id, nth) => (id === "a" && nth <= 3 ? UNWELL : "accepted"),
    });
    await clock.run(publisher.publish([at(1, "a"), at(1, "b"), at(2, "c"), at(2, "d")]));
    expect(idsIn(queue.accepted)).toEqual(["c", "d", "a", "b"]);
  });

  it.each<{ why: string; fate: RequestFate }>([
    { why: "the reply is lost", fate: { kind: "lost", error: new Error("socket hang up") } },
    {
      why: "SQS answers with a server's error",
      fate: { kind: "lost", error: serviceError("InternalFailure", "server") },
    },
    {
      why: "the request is throttled",
      fate: { kind: "refused", error: serviceError("RequestThrottled", "client") },
    },
    { why: "no answer comes", fate: { kind: "hung" } },
  ])("is sent again with the same ids and arrives once when $why", async ({ fate }) => {
    const { clock, publisher, queue } = publisherStage({
      request: (nth) => (nth === 1 ? fate : { kind: "answered" }),
    });
    const { accepted } = await clock.run(publisher.publish([at(1, "a"), at(2, "b"), at(1, "c")]));
    expect(idsIn(accepted)).toEqual(["a", "b", "c"]);
    expect(idsIn(queue.accepted).toSorted()).toEqual(["a", "b", "c"]);
    expect(queue.idsOf(1)).toEqual(["a", "c"]);
    expect(queue.overlaps).toEqual([]);
    const [first, again] = queue.requests;
    expect(again?.entries).toEqual(first?.entries);
  });

  it("counts for an entry that the answer leaves out", async () => {
    const { clock, publisher, queue } = publisherStage({
      entry: (id, nth) => (id === "b" && nth === 1 ? "forgotten" : "accepted"),
    });
    const { accepted } = await clock.run(publisher.publish([at(1, "a"), at(2, "b")]));
    expect(accepted[1]?.offset).toBe("18849496460467696129");
    expect(queue.requests.map(({ ids }) => ids)).toEqual([["a", "b"], ["b"]]);
  });

  it("counts for a throttled entry, though it is called the sender's fault", async () => {
    const { clock, publisher } = publisherStage({
      entry: (_, nth) =>
        nth === 1 ? { failed: "ThrottlingException", senderFault: true } : "accepted",
    });
    await expect(clock.run(publisher.publish([at(1, "a")]))).resolves.toMatchObject({
      accepted: [{ id: "a" }],
    });
  });
});

describe("a failure that stays", () => {
  it("comes back by name, with what stood behind it unsent and the rest accepted", async () => {
    const { clock, publisher, queue } = publisherStage({
      entry: (id) => (id === "b" ? UNWELL : "accepted"),
    });
    const records = [at(1, "a"), at(1, "b"), at(2, "c"), at(1, "d"), at(2, "e"), at(1, "f")];
    const startMs = clock.nowMs();
    const error = await failureOf(clock.run(publisher.publish(records)));
    expect(idsIn(error.accepted)).toEqual(["a", "c", "e"]);
    expect(error.failed).toEqual([
      {
        index: 1,
        id: "b",
        reason: "InternalError: sorry (after 8 tries)",
        arrived: "unknown",
      },
    ]);
    expect(error.unsent).toEqual([
      { index: 3, id: "d", reason: "record b before it in partition 1 failed" },
      { index: 5, id: "f", reason: "record b before it in partition 1 failed" },
    ]);
    expect(error.refused).toEqual([]);
    expect(error.message).toContain("got 3 accepted, 1 failed, 2 unsent. b: InternalError");
    expect(queue.requests.flatMap(({ ids }) => ids).filter((id) => id === "b")).toHaveLength(8);
    expect(clock.nowMs() - startMs).toBeLessThan(15_000);
  });

  it("is not tried again where SQS blames the record", async () => {
    const { clock, publisher, queue } = publisherStage({
      entry: (id) =>
        id === "a" ? { failed: "InvalidParameterValue", senderFault: true } : "accepted",
    });
    const error = await failureOf(
      clock.run(publisher.publish([at(1, "a"), at(2, "b"), at(1, "c")])),
    );
    expect(error.failed).toEqual([
      { index: 0, id: "a", reason: "InvalidParameterValue: sorry", arrived: "no" },
    ]);
    expect(idsIn(error.unsent)).toEqual(["c"]);
    expect(idsIn(error.accepted)).toEqual(["b"]);
    expect(queue.requests).toHaveLength(1);
  });

  it("is not tried again where SQS refuses the request, as without the right to send", async () => {
    const { clock, publisher, queue } = publisherStage({
      request: () => ({ kind: "refused", error: serviceError("AccessDeniedException", "client") }),
    });
    const error = await failureOf(clock.run(publisher.publish([at(1, "a"), at(2, "b")])));
    expect(error.failed.map(({ id, arrived }) => [id, arrived])).toEqual([
      ["a", "no"],
      ["b", "no"],
    ]);
    expect(error.failed[0]?.reason).toBe("AccessDeniedException: sorry");
    expect(queue.requests).toHaveLength(1);
  });

  it("says `unknown` once a try may have arrived, whatever a later one says", async () => {
    const { clock, publisher } = publisherStage({
      request: (nth) =>
        nth === 1
          ? { kind: "lost", error: new Error("socket hang up") }
          : { kind: "refused", error: serviceError("AccessDeniedException", "client") },
    });
    const error = await failureOf(clock.run(publisher.publish([at(1, "a")])));
    expect(error.failed[0]).toMatchObject({ arrived: "unknown" });
  });

  it("takes waiting records of other calls along, for they come later", async () => {
    const { clock, publisher, queue } = publisherStage({
      entry: (id) => (id === "a" ? UNWELL : "accepted"),
    });
    const first = failureOf(publisher.publish([at(1, "a")]));
    const second = failureOf(publisher.publish([at(1, "b"), at(2, "c")]));
    const [, later] = await clock.run(Promise.all([first, second]));
    expect(later.failed).toEqual([]);
    expect(later.unsent).toEqual([
      { index: 0, id: "b", reason: "record a before it in partition 1 failed" },
    ]);
    expect(idsIn(later.accepted)).toEqual(["c"]);
    await clock.run(publisher.publish([at(1, "d")]));
    expect(queue.idsOf(1)).toEqual(["d"]);
  });

  it("ends after a bounded time where SQS never answers", async () => {
    const { clock, publisher } = publisherStage({ request: () => ({ kind: "hung" }) });
    const startMs = clock.nowMs();
    const error = await failureOf(clock.run(publisher.publish([at(1, "a")])));
    expect(error.failed[0]?.reason).toContain("SQS did not answer within 30 s");
    expect(clock.nowMs() - startMs).toBeLessThan(300_000);
  });

  it("is not tried beyond the time for which SQS knows a repeat, as after a suspended process", async () => {
    const stage = publisherStage({
      request: () => {
        stage.clock.block(240_000);
        return { kind: "lost", error: new Error("socket hang up") };
      },
    });
    const error = await failureOf(stage.clock.run(stage.publisher.publish([at(1, "a")])));
    expect(error.failed[0]).toMatchObject({ id: "a", arrived: "unknown" });
    expect(stage.queue.requests).toHaveLength(1);
  });

  it("counts for an answer without a SequenceNumber, for such a queue keeps no order", async () => {
    const { clock, publisher } = publisherStage({ entry: () => "withoutNumber" });
    const error = await failureOf(clock.run(publisher.publish([at(1, "a")])));
    expect(error.failed[0]?.reason).toContain("without a SequenceNumber");
  });
});

describe("whatever fails", () => {
  const entryFate = fc.oneof(
    { weight: 6, arbitrary: fc.constant<EntryFate>("accepted") },
    fc.constantFrom<EntryFate>("forgotten", UNWELL, { failed: "Invalid", senderFault: true }),
  );
  const requestFate = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.nat(40).map((afterMs): RequestFate => ({ kind: "answered", afterMs })),
    },
    fc.constantFrom<RequestFate>(
      { kind: "hung" },
      { kind: "lost", error: new Error("socket hang up") },
      { kind: "refused", error: serviceError("RequestThrottled", "client") },
    ),
  );

  it("keeps order per partition, loses nothing, doubles nothing and reports each record once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { minLength: 1, maxLength: 30 }),
        fc.infiniteStream(entryFate),
        fc.infiniteStream(requestFate),
        async (partitions, entryFates, requestFates) => {
          const { clock, publisher, queue } = publisherStage({
            entry: () => entryFates.next().value,
            request: () => requestFates.next().value,
          });
          const records = partitions.map((partition, n) => at(partition, `r${n}`));
          const report = await clock
            .run(publisher.publish(records))
            .then(({ accepted }) => ({ accepted, failed: [], unsent: [] }))
            .catch((error: PublishError) => error);
          const told = [...report.accepted, ...report.failed, ...report.unsent];
          expect(told.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
            records.map((_, index) => index),
          );
          expect(queue.overlaps).toEqual([]);
          const has = idsIn(queue.accepted);
          expect(new Set(has).size).toBe(has.length);
          for (const { id } of report.accepted) expect(has).toContain(id);
          for (const { id } of report.unsent) expect(has).not.toContain(id);
          for (const partition of new Set(partitions)) {
            const given = records.filter(({ key }) => key === KEYS[partition]);
            expect(queue.idsOf(partition)).toEqual(
              idsIn(given as { readonly id: string }[]).slice(0, queue.idsOf(partition).length),
            );
          }
        },
      ),
      { numRuns: 60 },
    );
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
