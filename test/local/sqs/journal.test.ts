import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DeleteQueueCommand, PurgeQueueCommand, TagQueueCommand } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sqs, startSqs } from "../../../local/sqs/server.ts";
import { bodiesOf, type QueueClient, queueClient } from "./queue-client.ts";

let folder: string;
let journal: string;
let sqs: Sqs;
let client: QueueClient;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sqs-journal-"));
  journal = join(folder, "queues.ndjson");
  await start();
});

afterEach(async () => {
  await sqs.close();
  rmSync(folder, { recursive: true });
});

async function start(): Promise<void> {
  sqs = await startSqs({ journal });
  client = queueClient(sqs.url);
}

/** The queue's URL on the server that runs now. */
async function restart(queueUrl = ""): Promise<string> {
  await sqs.close();
  await start();
  return hereOf(queueUrl);
}

function hereOf(queueUrl: string): string {
  return `${sqs.url}${new URL(queueUrl, sqs.url).pathname}`;
}

describe("after a restart", () => {
  it("messages are there in order, with all that is known of them", async () => {
    const before = await client.createQueue({ VisibilityTimeout: "0" });
    const sent = await client.send(before, "a0", {
      MessageAttributes: { id: { DataType: "Number", StringValue: "7" } },
    });
    await client.send(before, "a1");
    const [received] = await client.receive(before);
    const queue = await restart(before);
    const messages = await client.receive(queue);
    expect(bodiesOf(messages)).toBe("a0 a1");
    expect(messages[0]).toMatchObject({
      MessageId: sent.MessageId,
      MessageAttributes: received?.MessageAttributes,
      Attributes: { ...received?.Attributes, ApproximateReceiveCount: "2" },
    });
  });

  it("a message in flight stays in flight, and its handle stays good", async () => {
    const before = await client.createQueue({ VisibilityTimeout: "60" });
    for (const body of ["a0", "a1", "b0"]) await client.send(before, body);
    const [head] = await client.receive(before, { MaxNumberOfMessages: 1 });
    await client.hide(before, head, 120);
    const queue = await restart(before);
    expect(await client.countsOf(queue)).toBe("2/1/0");
    expect(bodiesOf(await client.receive(queue))).toBe("b0");
    await client.remove(queue, head);
    expect(bodiesOf(await client.receive(queue))).toBe("a1");
  });

  it("a message whose timeout or delay ended meanwhile is visible", async () => {
    const before = await client.createQueue({ VisibilityTimeout: "1", DelaySeconds: "1" });
    await client.send(before, "a0");
    expect(bodiesOf(await client.receive(before, { WaitTimeSeconds: 10 }))).toBe("a0");
    await client.send(before, "b0");
    await sqs.close();
    const stoppedMs = Date.now();
    await expect.poll(() => Date.now(), { timeout: 3000 }).toBeGreaterThanOrEqual(stoppedMs + 1001);
    await start();
    expect(await client.countsOf(hereOf(before))).toBe("2/0/0");
  });

  it("an id is still a duplicate, its message deleted or not, and numbers go on rising", async () => {
    const before = await client.createQueue();
    const first = await client.send(before, "a0", { MessageDeduplicationId: "same" });
    const [message] = await client.receive(before);
    await client.remove(before, message);
    const queue = await restart(before);
    const second = await client.send(queue, "a0", { MessageDeduplicationId: "same" });
    expect(second.MessageId).toBe(first.MessageId);
    expect(await client.countsOf(queue)).toBe("0/0/0");
    const third = await client.send(queue, "a1");
    expect(
      Number(BigInt(third.SequenceNumber ?? 0) - BigInt(first.SequenceNumber ?? 0)),
    ).toBeGreaterThan(0);
  });

  it("queues have their attributes, tags, policies and counters", async () => {
    const { source, letters } = await client.createPair(1, { VisibilityTimeout: "0" });
    await client.sdk.send(new TagQueueCommand({ QueueUrl: source, Tags: { game: "g1" } }));
    await client.send(source, "a0");
    await client.receive(source);
    await client.receive(source);
    const attributes = await client.attributesOf(source);
    const samples = sqs.sample().map(({ emptyReceives, oldestAgeSeconds, ...rest }) => rest);
    await restart();
    expect(await client.attributesOf(hereOf(source))).toEqual(attributes);
    expect(sqs.sample().map(({ emptyReceives, oldestAgeSeconds, ...rest }) => rest)).toEqual(
      samples,
    );
    expect(bodiesOf(await client.receive(hereOf(letters)))).toBe("a0");
  });

  it("what was deleted or purged is gone", async () => {
    const deleted = await client.createQueue();
    const purged = await client.createQueue();
    for (const queue of [deleted, purged]) await client.send(queue, "a0");
    await client.sdk.send(new DeleteQueueCommand({ QueueUrl: deleted }));
    await client.sdk.send(new PurgeQueueCommand({ QueueUrl: purged }));
    await client.send(purged, "a1");
    await restart();
    expect(bodiesOf(await client.receive(hereOf(purged)))).toBe("a1");
    await expect(client.receive(hereOf(deleted))).rejects.toMatchObject({
      name: "QueueDoesNotExist",
    });
  });
});

describe("the file", () => {
  it("may end in half a line, which is cut off", async () => {
    const before = await client.createQueue();
    await client.send(before, "a0");
    await sqs.close();
    const whole = readFileSync(journal, "utf8");
    appendFileSync(journal, '{"kind":"added","queue":"q1.fi');
    await start();
    await client.send(hereOf(before), "a1", { MessageDeduplicationId: "after" });
    expect(bodiesOf(await client.receive(hereOf(before)))).toBe("a0 a1");
    expect(readFileSync(journal, "utf8").startsWith(whole)).toBe(true);
    await restart();
    expect(await client.countsOf(hereOf(before))).toBe("0/2/0");
  });

  it("is not read past a broken line, and the error says where that is", async () => {
    await client.createQueue();
    await sqs.close();
    const whole = readFileSync(journal, "utf8");
    writeFileSync(journal, `${whole}nonsense\n`);
    await expect(startSqs({ journal })).rejects.toThrow(
      `Expected JSON in line 2 of ${journal}, got \`nonsense\``,
    );
    writeFileSync(journal, whole);
    await start();
  });

  it("is rewritten when most of it tells of what is past, and tells the same then", async () => {
    const before = await client.createQueue({ VisibilityTimeout: "0" });
    for (let n = 0; n < 10; n += 1) await client.send(before, `a${n}`);
    // Ten lines each: more than a journal may have before it is looked at.
    for (let receive = 0; receive < 1010; receive += 1) await client.receive(before);
    const [head] = await client.receive(before, { MaxNumberOfMessages: 1, VisibilityTimeout: 60 });
    // 10,000 lines of receives are 2 MB.
    expect(statSync(journal).size).toBeLessThan(200_000);
    const [sample] = sqs.sample();
    const queue = await restart(before);
    expect(sqs.sample()).toMatchObject([{ sent: 10, received: sample?.received, notVisible: 1 }]);
    await client.remove(queue, head);
    const rest = await client.receive(queue);
    expect(bodiesOf(rest)).toBe("a1 a2 a3 a4 a5 a6 a7 a8 a9");
    expect(rest[0]?.Attributes?.ApproximateReceiveCount).toBe("1011");
  });
});

it("keeps all that was answered through a kill -9 in the middle of traffic", async () => {
  const file = join(folder, "killed.ndjson");
  const server = spawn(process.execPath, ["--input-type=module", "--eval", SERVER, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const traffic = queueClient(await firstLineOf(server));
  const before = await traffic.createQueue({ VisibilityTimeout: "2" });
  const sent: string[] = [];
  const deleted: string[] = [];
  const publish = async (group: string): Promise<void> => {
    for (let n = 100; ; n += 1) {
      await traffic.send(before, `${group}${n}`);
      sent.push(`${group}${n}`);
      if (sent.length === 60) server.kill("SIGKILL");
    }
  };
  const consume = async (): Promise<void> => {
    for (;;) {
      const [message] = await traffic.receive(before, { MaxNumberOfMessages: 1 });
      if (message === undefined) continue;
      await traffic.remove(before, message);
      deleted.push(message.Body ?? "");
    }
  };
  await Promise.allSettled([publish("a"), publish("b"), consume()]);
  if (server.exitCode === null && server.signalCode === null) await once(server, "exit");

  const restored = await startSqs({ journal: file });
  const queue = `${restored.url}${new URL(before).pathname}`;
  const there = await drain(queueClient(restored.url), queue);
  await restored.close();
  const missing = sent.filter((body) => !deleted.includes(body) && !there.includes(body));
  // One delete may have been done and not answered.
  expect(missing.length).toBeLessThanOrEqual(1);
  expect(there.filter((body) => deleted.includes(body))).toEqual([]);
  for (const group of ["a", "b"]) {
    const bodies = there.filter((body) => body.startsWith(group));
    expect(bodies).toEqual([...new Set(bodies)].sort());
  }
  expect(there.length).toBeGreaterThan(0);
});

/** All bodies of a queue, in the order in which they come, once none is in flight. */
async function drain(from: QueueClient, queue: string): Promise<readonly string[]> {
  await expect.poll(() => from.countsOf(queue), { timeout: 4000 }).toMatch(/^\d+\/0\/0$/);
  const bodies: string[] = [];
  for (;;) {
    const messages = await from.receive(queue);
    if (messages.length === 0) return bodies;
    for (const message of messages) {
      await from.remove(queue, message);
      bodies.push(message.Body ?? "");
    }
  }
}

const SERVER = `
import { startSqs } from ${JSON.stringify(new URL("../../../local/sqs/server.ts", import.meta.url).href)};
const { url } = await startSqs({ journal: process.argv[1] });
console.log(url);
`;

async function firstLineOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error("Expected the server's output as a pipe, got none");
  const [line] = await once(createInterface(server.stdout), "line");
  return String(line);
}
