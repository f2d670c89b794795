import fc from "fast-check";
import { expect, it } from "vitest";
import { evaluate } from "../../lambdas/core/alert-policy.ts";
import { fnv1a32, keyHash, partitionOf } from "../../lambdas/core/partition.ts";
import { replayDeduplicationId, sqsIdOf } from "../../lambdas/core/wire/identity.ts";
import { parseEventLine } from "../../lambdas/core/wire/ndjson.ts";
import { compareOffsets, paddedOffset } from "../../lambdas/core/wire/offset.ts";
import { decodePayload, encodePayload } from "../../lambdas/core/wire/wire.ts";

/** Key, hash, and partition of 8, 10 and 16. */
const HASHES: readonly (readonly [string, number, number, number, number])[] = [
  ["", 2166136261, 5, 1, 5],
  ["a", 3826002220, 4, 0, 12],
  ["hello", 1335831723, 3, 3, 11],
  ["order-1", 729795949, 5, 9, 13],
  ["order-2", 679463092, 4, 2, 4],
  ["player:1001", 2919216396, 4, 6, 12],
  ["guild:42", 3244980532, 4, 2, 4],
  ["tenant-7/user-9", 97293359, 7, 9, 15],
  ["42", 2279835011, 3, 1, 3],
  ["042", 1338070089, 1, 9, 9],
  ["Я", 2160284640, 0, 0, 0],
  ["\u00e9", 513665217, 1, 7, 1],
  ["e\u0301", 4204513055, 7, 5, 15],
  ["café", 2821410889, 1, 9, 9],
  ["中", 3091649524, 4, 4, 4],
  ["玩家:1001", 1495053426, 2, 6, 2],
  ["🎮", 1373064252, 4, 2, 12],
  ["🦄🌈", 2868248295, 7, 5, 7],
  ["user-🎮-7", 594914084, 4, 4, 4],
  ["k\u0000k", 2062981999, 7, 9, 15],
  ["__proto__", 2238802877, 5, 7, 13],
  ["constructor", 4066221903, 7, 3, 15],
  ["x".repeat(129), 1323884167, 7, 7, 7],
  ["x".repeat(2049), 2230661255, 7, 5, 7],
  ["x".repeat(10_000), 1991985157, 5, 7, 5],
];

it.each(HASHES)("C31: hashes the UTF-8 bytes of %j", (key, hash, of8, of10, of16) => {
  expect(keyHash(key)).toBe(hash);
  expect([8, 10, 16].map((count) => partitionOf(key, count))).toEqual([of8, of10, of16]);
});

it("C32: multiplies in 32 bits, as whole numbers of any size would", () => {
  expect(keyHash("foobar")).toBe(3214735720);
  expect(partitionOf("foobar", 16)).toBe(8);
  expect(keyHash("b")).toBe(3876335077);
  const exactly = (bytes: Uint8Array) =>
    bytes.reduce((hash, byte) => ((hash ^ BigInt(byte)) * 16777619n) % 2n ** 32n, 2166136261n);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(BigInt(fnv1a32(bytes))).toBe(exactly(bytes));
    }),
    { numRuns: 10_000 },
  );
});

it.each([
  { from: 8, to: 16, moved: 494 },
  { from: 16, to: 32, moved: 489 },
  { from: 8, to: 10, moved: 803 },
  { from: 16, to: 17, moved: 935 },
])("C37: a change from $from to $to partitions would move $moved of 1000 keys", (change) => {
  const keys = Array.from({ length: 1000 }, (_, n) => `player:${n}`);
  const moved = keys.filter((key) => partitionOf(key, change.from) !== partitionOf(key, change.to));
  expect(moved).toHaveLength(change.moved);
  expect([8, 10, 16, 17].map((count) => partitionOf("order-1", count))).toEqual([5, 9, 13, 8]);
});

it("C21: no two identities of records, replays included, become one id", () => {
  const ids = ["1", "1 1", "1:1", '1","1', "replay", "order-1"];
  const made = ids.flatMap((id) => [
    sqsIdOf(id),
    ...[1, 11, 2].map((generation) => replayDeduplicationId(id, generation)),
  ]);
  expect(new Set(made).size).toBe(ids.length * 4);
});

it.each([
  { bytes: "00071f8bfffe", body: "AAcfi//+" },
  { bytes: "1f8b0800ff", body: "H4sIAP8=" },
])("C38: carries the bytes $bytes as $body and gives the same back", ({ bytes, body }) => {
  const payload = new Uint8Array(Buffer.from(bytes, "hex"));
  expect(encodePayload(payload)).toEqual({ body, encoding: "base64" });
  expect(decodePayload(body, "base64")).toEqual(payload);
});

it("C38: takes nothing but whole base64 for bytes, and an empty payload for one", () => {
  expect(decodePayload("!!!not base64!!!", "base64")).toBeUndefined();
  const { body, encoding } = encodePayload("");
  expect(body).not.toBe("");
  expect(decodePayload(body, encoding)).toBe("");
});

it("C39: compares offsets as whole numbers of any size", () => {
  const rising = [
    "9007199254740992",
    "9007199254740993",
    "9223372036854775807",
    "18849496460467696128",
    "18849496460467696129",
    "99999999999999999999",
    "100000000000000000000",
  ];
  expect(rising.toReversed().toSorted(compareOffsets)).toEqual(rising);
  expect(rising.map(paddedOffset).toSorted()).toEqual(rising.map(paddedOffset));
});

it("C39: keeps every digit of a number in an event file's payload", () => {
  const line = parseEventLine('{"key":"k","payload":{"coins":9007199254740993}}', 1);
  expect(line).toMatchObject({ record: { payload: '{"coins":9007199254740993}' } });
});

it.each([
  { ageMs: 300_000, count: 1, level: "page" },
  { ageMs: 299_999, count: 1, level: "warn" },
  { ageMs: 60_000, count: 1, level: "warn" },
  { ageMs: 59_999, count: 1, level: "ok" },
  { ageMs: 59_000, count: 100, level: "warn" },
  { ageMs: 59_000, count: 99, level: "ok" },
  { ageMs: 0, count: 0, level: "ok" },
])("C43: $count records, the oldest of $ageMs ms, are $level", ({ ageMs, count, level }) => {
  const policy = { warnAgeMs: 60_000, pageAgeMs: 300_000, maxCount: 100 };
  expect(evaluate(policy, { count, oldestAgeMs: ageMs })).toBe(level);
});

it("C43: a rule of 0 is off at any age", () => {
  const policy = { warnAgeMs: 0, pageAgeMs: 0, maxCount: 100 };
  expect(evaluate(policy, { count: 1, oldestAgeMs: Number.MAX_SAFE_INTEGER })).toBe("ok");
});
