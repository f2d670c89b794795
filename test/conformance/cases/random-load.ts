import { deepEqual } from "node:assert/strict";
import { type Message, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { seeded } from "../../../lambdas/core/seeded.ts";
import type { Case } from "../case.ts";
import type { Queue, SqsAt } from "../sqs-at.ts";

const GROUPS = 4;
const MESSAGES = 80;
const WORKERS = 4;
const SECONDS_MAX = 25;

/** Chances of what a consumer does with a message; in the rest it dies with it. */
const DELETES = 0.75;
const GIVES_BACK = 0.22;

/** Order under consumers that delete, give back and die at random. */
export const RANDOM_LOAD: readonly Case[] = [1, 2].map((seed) => ({
  title: `never passes an undeleted message of a group, whatever its consumers do (seed ${seed})`,
  async ask(at) {
    const queue = await at.queue({ VisibilityTimeout: "2" });
    await fill(at, queue);
    const random = seeded(seed);
    // Noted before the call, as the next receive may be answered before this one is.
    const noted = new Set<string>();
    const deleted = new Set<string>();
    const passed: string[] = [];
    const remove = async (message: Message, body: string): Promise<void> => {
      noted.add(body);
      try {
        await queue.remove(message);
        noted.add(body);
        deleted.add(body);
      } catch {
        // Its receipt ran out; meanwhile another may have deleted it.
        if (!deleted.has(body)) noted.delete(body);
      }
    };
    const handle = async (message: Message): Promise<void> => {
      const draw = random();
      if (draw < DELETES) await remove(message, message.Body ?? "");
      else if (draw < DELETES + GIVES_BACK) await queue.hide(message, 0).catch(() => undefined);
    };
    const endMs = Date.now() + SECONDS_MAX * 1000;
    const work = async (): Promise<void> => {
      while (deleted.size < MESSAGES && Date.now() < endMs) {
        const MaxNumberOfMessages = 1 + Math.floor(random() * 10);
        const messages = await queue.receive({ MaxNumberOfMessages, WaitTimeSeconds: 1 });
        passed.push(...passedIn(messages, noted));
        for (const message of messages) await handle(message);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    deepEqual({ passed, deleted: deleted.size }, { passed: [], deleted: MESSAGES });
  },
}));

/** Messages that came although an older one of their group was neither deleted nor before them. */
function passedIn(messages: readonly Message[], deleted: ReadonlySet<string>): readonly string[] {
  const expected = new Map<string, number>();
  const passed: string[] = [];
  for (const { Body = "" } of messages) {
    const [group = "", place] = Body.split(":");
    let next = expected.get(group) ?? 0;
    while (deleted.has(`${group}:${next}`)) next += 1;
    if (Number(place) > next) passed.push(`${Body} before ${group}:${next}`);
    expected.set(group, Number(place) + 1);
  }
  return passed;
}

async function fill(at: SqsAt, queue: Queue): Promise<void> {
  for (let first = 0; first < MESSAGES; first += 10) {
    const Entries = Array.from({ length: 10 }, (_, offset) => {
      const n = first + offset;
      const group = `g${n % GROUPS}`;
      const MessageBody = `${group}:${Math.floor(n / GROUPS)}`;
      return { Id: `e${n}`, MessageBody, MessageGroupId: group, MessageDeduplicationId: `${n}` };
    });
    await at.sdk.send(new SendMessageBatchCommand({ QueueUrl: queue.url, Entries }));
  }
}
