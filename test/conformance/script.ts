import { equal } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Message } from "@aws-sdk/client-sqs";
import type { Case } from "./case.ts";
import { bodiesOf, type Queue } from "./sqs-at.ts";

/** A queue in a script, and what was last received of each message, by its body. */
type Scene = { readonly queue: Queue; readonly received: Map<string, Message> };

export type Step = (scene: Scene) => Promise<void>;

/** A case that is told as steps on one new FIFO queue. */
export function script(
  title: string,
  steps: readonly Step[],
  attributes: Readonly<Record<string, string>> = {},
): Case {
  return {
    title,
    async ask(at) {
      const scene = { queue: await at.queue(attributes), received: new Map<string, Message>() };
      for (const step of steps) await step(scene);
    },
  };
}

/** Sends these bodies, separated by spaces, one by one; a body's first letter is its group. */
export function sends(bodies: string, deduplicationId?: string): Step {
  return async ({ queue }) => {
    const id = deduplicationId === undefined ? {} : { MessageDeduplicationId: deduplicationId };
    for (const body of bodies.split(" ")) await queue.send(body, id);
  };
}

/** Receives up to `atMost` without waiting, and expects exactly these, in this order. */
export function gives(bodies: string, atMost = 10): Step {
  return async ({ queue, received }) => {
    const messages = await queue.receive({ MaxNumberOfMessages: atMost });
    for (const message of messages) received.set(message.Body ?? "", message);
    equal(bodiesOf(messages), bodies);
  };
}

export function removes(body: string): Step {
  return async ({ queue, received }) => void (await queue.remove(received.get(body)));
}

/** Changes the visibility of what was last received with this body. */
export function hides(body: string, seconds: number): Step {
  return async ({ queue, received }) => void (await queue.hide(received.get(body), seconds));
}

/** Lets time pass on the server. It may become more on a busy machine, never less. */
export function waits(seconds: number): Step {
  return () => delay(seconds * 1000);
}

/** Expects visible, in flight and delayed messages, as `3/2/0`. */
export function counts(expected: string): Step {
  return async ({ queue }) => equal(await queue.counts(), expected);
}
