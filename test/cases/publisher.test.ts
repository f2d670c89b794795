import { expect, it } from "vitest";
import { PublishError } from "../../lambdas/aws/publisher/publish-error.ts";
import { partitionOf } from "../../lambdas/core/partition.ts";
import type { OutgoingRecord } from "../../lambdas/core/wire/outgoing.ts";
import { keysOf, publisherStage } from "../aws/publisher/publisher-stage.ts";

const KEYS = keysOf();

const at = (partition: number, id: string): OutgoingRecord => ({
  key: KEYS[partition] ?? "",
  payload: "{}",
  id,
});

async function errorOf(published: Promise<unknown>): Promise<PublishError> {
  const error = await published.catch((thrown: unknown) => thrown);
  if (error instanceof PublishError) return error;
  throw new Error(`expected a PublishError, got ${error}`);
}

it("C40: sends nothing later of a partition before the refused record is in", async () => {
  const { clock, publisher, queue } = publisherStage({
    entry: (id, nth) =>
      id === "1" && nth === 1 ? { failed: "InternalError", senderFault: false } : "accepted",
  });
  await clock.run(publisher.publish(["0", "1", "2"].map((id) => at(5, id))));
  expect(queue.idsOf(5)).toEqual(["0", "1", "2"]);
});

it("C40: sends again only the entry that failed, and lives with an answer that has no failed list", async () => {
  const { clock, publisher, queue } = publisherStage({
    entry: (id, nth) =>
      id === "b" && nth === 1 ? { failed: "InternalError", senderFault: false } : "accepted",
  });
  await clock.run(publisher.publish([at(1, "a"), at(2, "b"), at(3, "c")]));
  expect(queue.requests.map(({ ids }) => ids)).toEqual([["a", "b", "c"], ["b"]]);
});

it("C40: never takes an entry that the answer leaves out for sent", async () => {
  const { clock, publisher } = publisherStage({
    entry: (id) => (id === "b" ? "forgotten" : "accepted"),
  });
  const error = await errorOf(clock.run(publisher.publish([at(1, "a"), at(2, "b")])));
  expect(error.accepted.map(({ id }) => id)).toEqual(["a"]);
  expect(error.failed).toMatchObject([{ id: "b", arrived: "unknown" }]);
});

it("C41: gives records of equal payloads ids of their own, the same at each try", async () => {
  const { clock, publisher, queue } = publisherStage({
    request: (nth) =>
      nth === 1 ? { kind: "lost", error: new Error("time-out") } : { kind: "answered" },
  });
  const equal = Array.from({ length: 4 }, () => ({ key: KEYS[5] ?? "", payload: "same" }));
  const { accepted } = await clock.run(publisher.publish(equal));
  expect(new Set(accepted.map(({ id }) => id)).size).toBe(4);
  expect(queue.accepted).toHaveLength(4);
  const [first, again] = queue.requests.map(({ entries }) => entries[0]?.MessageDeduplicationId);
  expect(again).toBe(first);
});

it("C21: refuses a second record of one id within a call, whatever it holds", async () => {
  const { publisher, queue } = publisherStage();
  const twice = [at(5, "order-1"), { ...at(7, "order-1"), payload: "another" }];
  const error = await errorOf(publisher.publish(twice));
  expect(error.refused).toMatchObject([{ index: 1, id: "order-1" }]);
  expect(queue.requests).toEqual([]);
});

it("C21: publishes two records of one key as two, for the key is not the identity", async () => {
  const { clock, publisher, queue } = publisherStage();
  const two = ["1", "2"].map((id) => ({ key: "order-1", payload: "{}", id }));
  await clock.run(publisher.publish(two));
  expect(queue.accepted.map(({ id }) => id)).toEqual(["1", "2"]);
});

it("C30: refuses the empty key, which the reference takes and its replay then cannot", async () => {
  const { publisher, queue } = publisherStage();
  const error = await errorOf(publisher.publish([{ key: "", payload: "{}" }]));
  expect(error.refused[0]?.reason).toContain("got the empty text");
  expect(queue.requests).toEqual([]);
});

it("C35: refuses an attribute named __proto__, whose value the AWS SDK loses when it receives", async () => {
  const { publisher, queue } = publisherStage();
  const attributes = { ["__proto__"]: { dataType: "String", stringValue: "own" } };
  const error = await errorOf(publisher.publish([{ ...at(5, "a"), attributes }]));
  expect(error.refused[0]?.reason).toContain("choose another name");
  expect(queue.requests).toEqual([]);
});

it("C36: sends keys of any length and script under ids that SQS takes", async () => {
  const { clock, publisher, queue } = publisherStage({}, 16);
  const long = "y".repeat(199);
  const keys = [
    ...[129, 2049, 10_000].map((length) => "x".repeat(length)),
    ...["🎮".repeat(40), "a b", "k\u0000k", `${long}1`, `${long}2`],
  ];
  const ids = ["short", "y".repeat(200), "with a space", "🎮"];
  const records = keys.map((key, n) => ({ key, payload: "{}", id: `${ids[n % 4]} ${n}` }));
  await clock.run(publisher.publish(records));
  const entries = queue.requests.flatMap((request) => request.entries);
  expect(entries).toHaveLength(keys.length);
  for (const { MessageGroupId, MessageDeduplicationId } of entries) {
    expect(MessageGroupId).toMatch(/^[0-9]+$/);
    expect(MessageDeduplicationId).toMatch(/^[\x21-\x7e]{1,128}$/);
  }
  expect(new Set(entries.map((entry) => entry.MessageDeduplicationId)).size).toBe(keys.length);
  expect(entries.map(({ MessageGroupId }) => MessageGroupId).toSorted()).toEqual(
    keys.map((key) => String(partitionOf(key, 16))).toSorted(),
  );
});
