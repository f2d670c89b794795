import type { SQSRecord } from "aws-lambda";
import * as fc from "fast-check";
import { partitionOf } from "../../lambdas/core/partition.ts";
import { hostileJson, hostileText } from "./hostile-text.ts";

/** What a record of an event says of itself, in any shape. */
export type EventRecord = {
  readonly messageId?: unknown;
  readonly body?: unknown;
  readonly attributes?: unknown;
  readonly messageAttributes?: unknown;
};

/** Few of each, so that ids, keys and messages meet again in a batch. */
const IDS = ["r-1", "r-2", "r-3", "m-1", "i".repeat(256)];
const MESSAGE_IDS = ["m-1", "m-2", "m-3", "m-4", "m-5"];
const KEYS = ["player:1", "player:2", "guild:7", "__proto__", "e\u0301", "k".repeat(1000)];

function mostly<T, U>(sane: fc.Arbitrary<T>, odd: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: 8, arbitrary: sane }, { weight: 1, arbitrary: odd });
}

function json(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<string> {
  return mostly(
    fc.record(fields).map((value) => JSON.stringify(value)),
    hostileJson,
  );
}

const whole = mostly(
  fc.nat(3),
  fc.constantFrom(-1, 0.5, 1e300, Number.MAX_SAFE_INTEGER, "1", null, [], {}),
);
const offset = mostly(
  fc.constantFrom(null, "1", "007", "18860000000000000001", "9".repeat(39)),
  fc.constantFrom("", "-1", "1".repeat(40), 7, {}),
);

const replayMark = json({ generation: whole, offset, enqueuedAt: whole, runId: fc.string() });
const letterMark = json({
  partition: whole,
  offset,
  generation: whole,
  attempts: whole,
  reason: hostileText,
  failedAt: whole,
  enqueuedAt: whole,
});

const base64 = fc
  .uint8Array({ maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString("base64"));

/** One attribute: its text as text, or in one of the shapes that do not fit its type. */
function attribute(
  dataType: string,
  text: fc.Arbitrary<string>,
): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  return mostly(
    text.map((stringValue) => ({ dataType, stringValue })),
    fc.oneof(
      base64.map((binaryValue) => ({ dataType: "Binary", binaryValue })),
      hostileText.map((binaryValue) => ({ dataType: "Binary", binaryValue })),
      text.map((stringValue) => ({ dataType: "Binary", stringValue })),
      fc.tuple(hostileText, text).map(([type, stringValue]) => ({ dataType: type, stringValue })),
      fc.constant({ dataType: "String" }),
      fc.constant({}),
    ),
  );
}

/** On one record in four, so that most records of a batch are plain ones. */
function sometimes(
  name: string,
  value: fc.Arbitrary<unknown>,
): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    value.map((given) => ({ [name]: given })),
  );
}

const wireAttributes = fc
  .tuple(
    sometimes(
      "enqueuedAt",
      attribute(
        "Number",
        mostly(fc.constant("1700000000000"), fc.oneof(hostileText, fc.double().map(String))),
      ),
    ),
    sometimes(
      "encoding",
      attribute("String", fc.oneof(fc.constantFrom("base64", "empty"), hostileText)),
    ),
    sometimes("replay", attribute("String", replayMark)),
    sometimes("deadLetter", attribute("String", letterMark)),
  )
  .map((attributes): object => Object.assign({}, ...attributes));

const gamesOwn = fc
  .array(fc.tuple(hostileText, attribute("String", hostileText)), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries));

/** Decimal text, as SQS gives its numbers, or something else. */
function decimal(...sane: string[]): fc.Arbitrary<string | undefined> {
  return mostly(
    fc.constantFrom(...sane),
    fc.oneof(hostileText, fc.constantFrom("9".repeat(16), "-1", "1e3", undefined)),
  );
}

const NOW = "1700000000000";

function systemAttributes(group: fc.Arbitrary<string>): fc.Arbitrary<object | undefined> {
  return mostly(
    fc.record({
      MessageGroupId: mostly(group, fc.oneof(hostileText, fc.constantFrom("0", "15", undefined))),
      ApproximateReceiveCount: decimal("1", "1", "2", "5"),
      SequenceNumber: decimal("18860000000000000001", "18860000000000000002", "9".repeat(39)),
      SentTimestamp: decimal(NOW),
      ApproximateFirstReceiveTimestamp: mostly(fc.constant(NOW), decimal(NOW, "1600000000000")),
    }),
    fc.constantFrom({}, undefined),
  );
}

/** Records of the shape that Lambda gives: each text may be any, each optional field missing. */
export function hostileRecord(partitions: number): fc.Arbitrary<SQSRecord> {
  return mostly(fc.constantFrom(...KEYS), hostileText).chain((key) =>
    fc
      .record({
        messageId: fc.constantFrom(...MESSAGE_IDS),
        receiptHandle: fc.constant("handle"),
        body: mostly(fc.constantFrom("{}", "body"), fc.oneof(hostileText, hostileJson, base64)),
        attributes: systemAttributes(fc.constant(String(partitionOf(key, partitions)))),
        messageAttributes: fc
          .tuple(
            gamesOwn,
            wireAttributes,
            mostly(
              attribute("String", mostly(fc.constantFrom(...IDS), hostileText)),
              fc.constant(0),
            ),
            attribute("String", fc.constant(key)),
          )
          .map(([own, wire, id, keyAttribute]) => ({
            ...own,
            ...wire,
            ...(id === 0 ? {} : { id }),
            key: keyAttribute,
          })),
      })
      .map((record) => record as unknown as SQSRecord),
  );
}

/** Records of no shape that Lambda gives: a field is missing or holds any JSON, or all of it does. */
export function brokenRecord(partitions: number): fc.Arbitrary<EventRecord | null> {
  const field = fc.constantFrom(
    "messageId",
    "receiptHandle",
    "body",
    "attributes",
    "messageAttributes",
    "messageAttributes.id",
    "messageAttributes.key",
    "messageAttributes.key.stringValue",
    "messageAttributes.key.binaryValue",
    "attributes.MessageGroupId",
    "attributes.ApproximateReceiveCount",
  );
  const value = fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 }));
  return mostly(
    fc
      .tuple(hostileRecord(partitions), fc.array(fc.tuple(field, value), { maxLength: 3 }))
      .map(([record, changes]) =>
        changes.reduce<EventRecord>((changed, [path, to]) => replaced(changed, path, to), record),
      ),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<EventRecord | null>,
  );
}

function replaced(holder: unknown, path: string, value: unknown): EventRecord {
  const [name = "", ...rest] = path.split(".");
  const fields: Readonly<Record<string, unknown>> = { ...(holder as object) };
  return {
    ...fields,
    [name]: rest.length === 0 ? value : replaced(fields[name], rest.join("."), value),
  };
}
