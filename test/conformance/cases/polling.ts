import { equal, ok } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import type { Case } from "../case.ts";
import { bodiesOf, type Queue } from "../sqs-at.ts";

/** Far longer than a poll that is woken takes, and what a poll that is not woken takes at least. */
const WAIT_SECONDS = 6;
const WOKEN_MS_MAX = 4000;

type Woken = {
  readonly title: string;
  readonly queue?: Readonly<Record<string, string>>;
  /** Before the poll begins. */
  readonly before: (queue: Queue) => Promise<() => Promise<unknown>>;
  readonly gives: string;
};

const nothing = async () => undefined;

const WOKEN: readonly Woken[] = [
  {
    title: "a message is sent",
    before: async (queue) => () => queue.send("a0"),
    gives: "a0",
  },
  {
    title: "a visibility runs out",
    queue: { VisibilityTimeout: "1" },
    async before(queue) {
      await queue.send("a0");
      await queue.receive();
      return nothing;
    },
    gives: "a0",
  },
  {
    title: "a group is freed by a deletion",
    async before(queue) {
      for (const body of ["a0", "a1"]) await queue.send(body);
      const [head] = await queue.receive({ MaxNumberOfMessages: 1 });
      return () => queue.remove(head);
    },
    gives: "a1",
  },
  {
    title: "a message is given back",
    async before(queue) {
      await queue.send("a0");
      const [head] = await queue.receive();
      return () => queue.hide(head, 0);
    },
    gives: "a0",
  },
  {
    title: "a delay ends",
    queue: { DelaySeconds: "1" },
    async before(queue) {
      await queue.send("a0");
      return nothing;
    },
    gives: "a0",
  },
];

/** How long a receive waits, and what ends its waiting. */
export const POLLING: readonly Case[] = [
  ...WOKEN.map(
    ({ title, queue: attributes, before, gives }) =>
      ({
        title: `wakes a waiting receive when ${title}`,
        async ask(at) {
          const queue = await at.queue(attributes);
          const act = await before(queue);
          const startMs = Date.now();
          const polled = queue.receive({ MaxNumberOfMessages: 1, WaitTimeSeconds: WAIT_SECONDS });
          await delay(300);
          await act();
          equal(bodiesOf(await polled), gives);
          ok(Date.now() - startMs < WOKEN_MS_MAX, `woken after ${Date.now() - startMs} ms`);
        },
      }) satisfies Case,
  ),
  ...[
    {
      title: "waits as long as a receive says where nothing comes",
      queue: {},
      input: { WaitTimeSeconds: 1 },
    },
    {
      title: "waits as long as the queue says where a receive says nothing",
      queue: { ReceiveMessageWaitTimeSeconds: "1" },
      input: { WaitTimeSeconds: undefined },
    },
  ].map(
    ({ title, queue: attributes, input }) =>
      ({
        title,
        async ask(at) {
          const queue = await at.queue(attributes);
          const startMs = Date.now();
          equal(bodiesOf(await queue.receive(input)), "");
          ok(Date.now() - startMs > 900, `answered after ${Date.now() - startMs} ms`);
        },
      }) satisfies Case,
  ),
  {
    title: "gives nothing to a receive whose caller has gone",
    async ask(at) {
      const queue = await at.queue();
      const gone = new AbortController();
      const asked = new ReceiveMessageCommand({ QueueUrl: queue.url, WaitTimeSeconds: 10 });
      const polled = at.sdk.send(asked, { abortSignal: gone.signal }).catch(() => undefined);
      await delay(400);
      gone.abort();
      await polled;
      await delay(200);
      await queue.send("a0");
      equal(bodiesOf(await queue.receive()), "a0");
    },
  },
  {
    title: "gives each of two waiting receives one message",
    async ask(at) {
      const queue = await at.queue();
      const asked = { MaxNumberOfMessages: 1, WaitTimeSeconds: WAIT_SECONDS };
      const polled = [queue.receive(asked), queue.receive(asked)];
      await delay(300);
      for (const body of ["a0", "b0"]) await queue.send(body);
      equal((await Promise.all(polled)).map(bodiesOf).toSorted().join(" "), "a0 b0");
    },
  },
];
