import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PublishError } from "../../../lambdas/aws/publisher/publish-error.ts";
import {
  at,
  type EntryFate,
  failureOf,
  idsIn,
  KEYS,
  keysOf,
  publisherStage,
  type RequestFate,
  serviceError,
  UNWELL,
} from "./publisher-stage.ts";

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

  it("is not tried beyond that time either where thousands of partitions wait for a free request", async () => {
    const { clock, publisher, queue } = publisherStage({ request: () => ({ kind: "hung" }) }, 2000);
    const records = keysOf(2000).map((key, n) => ({ key, payload: "x", id: `r${n}` }));
    const error = await failureOf(clock.run(publisher.publish(records)));
    const firstMs = new Map<string, number>();
    const lateIds = queue.requests.flatMap(({ atMs, ids }) =>
      ids.filter((id) => {
        if (!firstMs.has(id)) firstMs.set(id, atMs);
        return atMs - (firstMs.get(id) ?? atMs) > 4 * 60_000;
      }),
    );
    expect(firstMs.size).toBe(2000);
    expect(lateIds).toEqual([]);
    expect(error.failed).toHaveLength(2000);
    expect(new Set(error.failed.map(({ arrived }) => arrived))).toEqual(new Set(["unknown"]));
    expect(error.failed[0]?.reason).toMatch(
      /^Error: SQS did not answer within 30 s \(after \d tr(y|ies), the first \d+ s ago: /,
    );
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
