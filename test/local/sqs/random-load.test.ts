import { type Message, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Sqs, startSqs } from "../../../local/sqs/server.ts";
import { type QueueClient, queueClient } from "./queue-client.ts";

let sqs: Sqs;
let client: QueueClient;

beforeAll(async () => {
  sqs = await startSqs();
  client = queueClient(sqs.url);
});

afterAll(() => sqs.close());

const GROUPS = 5;
const MESSAGES = 150;
const WORKERS = 4;

/** A generator of numbers from 0 to 1 that gives the same ones for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

async function fill(queue: string): Promise<void> {
  for (let first = 0; first < MESSAGES; first += 10) {
    const Entries = Array.from({ length: 10 }, (_, offset) => {
      const n = first + offset;
      return {
        Id: `e${n}`,
        MessageBody: String(Math.floor(n / GROUPS)),
        MessageGroupId: String(n % GROUPS),
        MessageDeduplicationId: String(n),
      };
    });
    await client.sdk.send(new SendMessageBatchCommand({ QueueUrl: queue, Entries }));
  }
}

it.concurrent.each([1, 2, 3])(
  "never passes an undeleted message of a group, whatever its consumers do (seed %d)",
  { timeout: 60_000 },
  async (seed) => {
    const random = randomOf(seed);
    const queue = await client.createQueue({ VisibilityTimeout: "1" });
    await fill(queue);
    const deleted = new Map<string, Set<number>>();
    const violations: string[] = [];
    let remaining = MESSAGES;

    const check = (messages: readonly Message[]): void => {
      const expected = new Map<string, number>();
      for (const { Body, Attributes } of messages) {
        const group = Attributes?.MessageGroupId ?? "";
        const gone = deleted.get(group) ?? new Set();
        let next = expected.get(group) ?? 0;
        while (gone.has(next)) next += 1;
        if (Number(Body) !== next) violations.push(`group ${group}: ${Body} before ${next}`);
        expected.set(group, Number(Body) + 1);
      }
    };
    const handle = async (message: Message): Promise<void> => {
      const draw = random();
      if (draw < 0.75) {
        // Noted before the call, as the next receive may be answered before this one is.
        const group = message.Attributes?.MessageGroupId ?? "";
        deleted.set(group, (deleted.get(group) ?? new Set()).add(Number(message.Body)));
        await client.remove(queue, message);
        remaining -= 1;
      } else if (draw < 0.97) {
        await client.hide(queue, message, 0);
      }
      // Else it is forgotten, as by a consumer that died.
    };
    const work = async (): Promise<void> => {
      while (remaining > 0) {
        const messages = await client.receive(queue, {
          MaxNumberOfMessages: 1 + Math.floor(random() * 10),
          WaitTimeSeconds: 1,
        });
        check(messages);
        for (const message of messages) await handle(message);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    expect(violations).toEqual([]);
    expect(await client.countsOf(queue)).toBe("0/0/0");
  },
);
