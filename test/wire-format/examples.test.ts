import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import { toSdkAttributes } from "../../lambdas/aws/sqs-attributes.ts";
import { encodeOutgoing } from "../../lambdas/core/wire/outgoing.ts";
import { startSqs } from "../../local/sqs/server.ts";
import { startSsm } from "../../local/ssm/server.ts";
import { vectors } from "../core/vectors.ts";
import { GO, HAS_BOTO3, PYTHON, publishByPython } from "./example.ts";

type Row = {
  readonly key: string;
  readonly partitions: number;
  readonly partition: number;
  readonly fnv1a32: number;
};

const ROWS = vectors<{ readonly rows: readonly Row[] }>("partition.json").rows.filter(
  ({ partitions }) => partitions > 0,
);

/** By what an encoder must tell apart: kinds of id, of key and of payload. */
const RECORDS = [
  { id: "018f2b6e-6f0a-7c3e-9d41-2a7d5c0e9b11", key: "player:123", payload: "level-up" },
  { id: "grant 7 für alle", key: "公会:七星", payload: '{"item":"🎮"}' },
  { id: "x".repeat(129), key: "a\u0000", payload: "" },
  { id: "bytes", key: "guild:42", payload: new Uint8Array([0, 1, 255]) },
  { id: "text as bytes", key: "guild:42", payload: new TextEncoder().encode("café") },
  { id: "refused by SQS", key: "tab\tand\u0007", payload: "bell \u0007" },
  { id: "😀", key: "cafe\u0301", payload: "\ufffe" },
] as const;

const PARTITIONS = 64;
const AT = 1_767_225_600_000;

describe.each([PYTHON, GO])("the publisher example in $language", (example) => {
  it.skipIf(!example.runs)(
    "finds the partition of every vector",
    async () => {
      const answers = await example.answers(
        ROWS.map(({ key, partitions }) => ({ key, partitions })),
      );
      expect(answers).toEqual(ROWS.map(({ fnv1a32: hash, partition }) => ({ hash, partition })));
    },
    120_000,
  );

  it.skipIf(!example.runs)(
    "encodes each kind of record as the library does",
    async () => {
      const lines = RECORDS.map(({ id, key, payload }) => ({
        id,
        key,
        payloadBase64: Buffer.from(payload).toString("base64"),
        partitions: PARTITIONS,
        enqueuedAt: AT,
      }));
      expect(await example.answers(lines)).toEqual(RECORDS.map(ofLibrary));
    },
    120_000,
  );
});

describe("the publisher example in Python", () => {
  it.skipIf(!HAS_BOTO3)(
    "publishes by boto3, each partition in order",
    async () => {
      const servers = { sqs: await startSqs(), ssm: await startSsm() };
      const client = new SQSClient({ endpoint: servers.sqs.url });
      try {
        const { QueueUrl } = await client.send(
          new CreateQueueCommand({ QueueName: "live.fifo", Attributes: { FifoQueue: "true" } }),
        );
        const place = { wire: 1, queueUrl: QueueUrl, partitions: 4, hash: "fnv1a-32" };
        servers.ssm.put("/backlogorder/live", JSON.stringify(place));
        const records = Array.from({ length: 45 }, (_, index) => ({
          id: `record-${index}`,
          key: `player:${index % 7}`,
          payload: `payload ${index}`,
        }));
        const said = await publishByPython(records, {
          AWS_ENDPOINT_URL_SQS: servers.sqs.url,
          AWS_ENDPOINT_URL_SSM: servers.ssm.url,
          AWS_REGION: "us-east-1",
          AWS_DEFAULT_REGION: "us-east-1",
          AWS_ACCESS_KEY_ID: "test",
          AWS_SECRET_ACCESS_KEY: "test",
        });
        expect(said).toMatchObject({ unsent: [] });
        const received = await receivedBy(client, QueueUrl);
        expect(received.length).toBe(records.length);
        for (const { key } of records.slice(0, 7)) {
          const ids = records.filter((record) => record.key === key).map(({ id }) => id);
          expect(received.filter((message) => message.key === key).map(({ id }) => id)).toEqual(
            ids,
          );
        }
      } finally {
        client.destroy();
        await servers.sqs.close();
        await servers.ssm.close();
      }
    },
    60_000,
  );

  it.skipIf(!HAS_BOTO3)(
    "sends nothing again once SQS may no longer know it for a repeat",
    async () => {
      const records = Array.from({ length: 60 }, (_, index) => ({
        id: `record-${index}`,
        key: `player:${index}`,
        payload: "x",
      }));
      const said = (await publishByPython(records, {}, "publish_late.py")) as Late;
      const late = Object.values(said.tries).filter((seconds) =>
        seconds.some((second) => second - (seconds[0] ?? 0) > 4 * 60),
      );
      expect(late).toEqual([]);
      expect(Object.keys(said.tries).length).toBeGreaterThan(50);
      expect(said.offsets).toEqual({});
      expect(said.unsent.toSorted()).toEqual(records.map(({ id }) => id).toSorted());
    },
    60_000,
  );
});

type Late = {
  /** Seconds of each try, by de-duplication id. */
  readonly tries: Readonly<Record<string, readonly number[]>>;
  readonly offsets: Readonly<Record<string, string>>;
  readonly unsent: readonly string[];
};

function ofLibrary({ id, key, payload }: (typeof RECORDS)[number]): unknown {
  const encoded = encodeOutgoing({ id, key, payload }, { id, enqueuedAtMs: AT }, PARTITIONS);
  if (encoded.kind === "refused") throw new Error(encoded.reason);
  const { group, deduplicationId, body, attributes, bytes } = encoded.message;
  return {
    message: {
      MessageGroupId: group,
      MessageDeduplicationId: deduplicationId,
      MessageBody: body,
      MessageAttributes: JSON.parse(JSON.stringify(toSdkAttributes(attributes), bytesInBase64)),
    },
    bytes,
  };
}

function bytesInBase64(name: string, value: unknown): unknown {
  return name === "BinaryValue"
    ? Buffer.from(Object.values(value as Uint8Array)).toString("base64")
    : value;
}

async function receivedBy(
  client: SQSClient,
  QueueUrl: string | undefined,
): Promise<readonly { readonly id: string; readonly key: string }[]> {
  const received: { readonly id: string; readonly key: string }[] = [];
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ["All"],
      }),
    );
    if (Messages.length === 0) return received;
    for (const { MessageAttributes, ReceiptHandle } of Messages) {
      // A group with a message in flight hands out no other.
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      received.push({
        id: MessageAttributes?.["id"]?.StringValue ?? "",
        key: MessageAttributes?.["key"]?.StringValue ?? "",
      });
    }
  }
}
