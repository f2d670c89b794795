import { equal } from "node:assert/strict";
import { ChangeMessageVisibilityBatchCommand, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import type { Case } from "../case.ts";
import { counts, gives, hides, removes, script, sends, waits } from "../script.ts";
import { bodiesOf } from "../sqs-at.ts";

/** Long enough for a few requests on a busy machine. */
const TWO_SECONDS = { VisibilityTimeout: "2" };

/** In which order a FIFO queue gives its messages, and which it holds back. */
export const ORDER: readonly Case[] = [
  script("gives a group in the order sent", [
    sends("a0 a1 a2 a3 a4 a5"),
    gives("a0 a1 a2 a3 a4 a5"),
  ]),
  script("fills a receive from one group before the next", [
    sends("a0 b0 a1 a2"),
    gives("a0 a1 a2 b0"),
  ]),
  script("gives several of one group at once", [sends("a0 a1 a2"), gives("a0 a1", 2)]),
  script("holds a group behind its message in flight, and no other group", [
    ...[sends("a0 a1 b0 b1"), gives("a0", 1), gives("b0 b1"), gives("")],
  ]),
  script("frees a group when its message is deleted", [
    ...[sends("a0 a1"), gives("a0", 1), removes("a0"), gives("a1")],
  ]),
  script("holds a group until the younger of two in flight is deleted, too", [
    ...[sends("a0 a1 a2 a3"), gives("a0 a1", 2), removes("a0"), gives("")],
    ...[removes("a1"), gives("a2 a3")],
  ]),
  script("holds a group until the older of two in flight is deleted, too", [
    ...[sends("a0 a1 a2 a3"), gives("a0 a1", 2), removes("a1"), gives("")],
    ...[removes("a0"), gives("a2 a3")],
  ]),
  script(
    "gives what was not deleted again, before what came later",
    [
      ...[sends("a0 a1 a2 a3 a4"), gives("a0 a1 a2", 3), removes("a0"), removes("a2")],
      ...[waits(2.4), gives("a1 a3 a4")],
    ],
    TWO_SECONDS,
  ),
  script(
    "gives a group again in order when its visibility has run out",
    [...[sends("a0 a1 a2"), gives("a0 a1", 2), gives(""), waits(2.4), gives("a0 a1 a2")]],
    TWO_SECONDS,
  ),
  script("gives a group again, followers included, when its only one in flight is given back", [
    ...[sends("a0 a1"), gives("a0", 1), hides("a0", 0), gives("a0 a1")],
  ]),
  script("gives a head that was given back alone while later ones are in flight", [
    ...[sends("a0 a1 a2 a3"), gives("a0 a1 a2", 3), hides("a0", 0), gives("a0")],
  ]),
  script("holds one that was given back behind older ones in flight", [
    ...[sends("a0 a1 a2 a3"), gives("a0 a1 a2", 3), hides("a1", 0), gives("")],
    ...[hides("a2", 0), gives(""), hides("a0", 0), gives("a0 a1 a2 a3")],
  ]),
  script("gives a follower that was given back before later ones, once its head is deleted", [
    ...[sends("a0 a1 a2 a3"), gives("a0 a1", 2), hides("a1", 0), removes("a0"), gives("a1 a2 a3")],
  ]),
  script(
    "keeps one hidden for as long as its visibility was extended",
    [
      ...[sends("a0"), gives("a0", 1), hides("a0", 30), waits(2.4), gives("")],
      ...[hides("a0", 0), gives("a0")],
    ],
    TWO_SECONDS,
  ),
  script(
    "holds an expired follower behind a head whose visibility was extended",
    [
      ...[sends("a0 a1 a2"), gives("a0 a1", 2), hides("a0", 30), waits(2.4), gives("")],
      ...[hides("a0", 0), gives("a0 a1 a2")],
    ],
    TWO_SECONDS,
  ),
  script(
    "gives an expired head alone while its follower's visibility is extended",
    [...[sends("a0 a1 a2"), gives("a0 a1", 2), hides("a1", 30), waits(2.4), gives("a0")]],
    TWO_SECONDS,
  ),
  script("counts what is visible and in flight", [
    ...[sends("a0 a1 a2 b0 b1"), counts("5/0/0"), gives("a0 a1", 2), counts("3/2/0")],
    ...[removes("a0"), counts("3/1/0")],
  ]),
  script(
    "counts a message as visible when its time has run out, before anybody asks for it",
    [...[sends("a0"), gives("a0"), waits(2.4), counts("1/0/0")]],
    TWO_SECONDS,
  ),
  script(
    "holds all of a queue with a delay back, and counts them as delayed",
    [...[sends("a0"), gives(""), counts("0/0/1"), waits(1.4), gives("a0")]],
    { DelaySeconds: "1" },
  ),
  {
    title: "keeps the order of a batch",
    async ask(at) {
      const queue = await at.queue();
      const Entries = [4, 2, 9].map((n) => ({
        ...{
          Id: `e${n}`,
          MessageBody: `a${n}`,
          MessageGroupId: "a",
          MessageDeduplicationId: `${n}`,
        },
      }));
      await at.sdk.send(new SendMessageBatchCommand({ QueueUrl: queue.url, Entries }));
      equal(bodiesOf(await queue.receive()), "a4 a2 a9");
    },
  },
  {
    title: "keeps the order of a group that is given back in one batch, in any order",
    async ask(at) {
      const queue = await at.queue();
      for (const body of ["a0", "a1", "a2", "a3"]) await queue.send(body);
      const taken = await queue.receive({ MaxNumberOfMessages: 3 });
      const Entries = [2, 0, 1].map((n) => ({
        ...{ Id: `e${n}`, ReceiptHandle: taken[n]?.ReceiptHandle, VisibilityTimeout: 0 },
      }));
      await at.sdk.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queue.url, Entries }));
      equal(bodiesOf(await queue.receive()), "a0 a1 a2 a3");
    },
  },
  {
    title: "gives several groups in one receive, each in its order",
    async ask(at) {
      const queue = await at.queue();
      for (const body of ["a0", "b0", "a1", "b1", "c0"]) await queue.send(body);
      const bodies = bodiesOf(await queue.receive()).split(" ");
      const ofGroup = (group: string) => bodies.filter((body) => body.startsWith(group)).join(" ");
      equal(["a", "b", "c"].map(ofGroup).join("|"), "a0 a1|b0 b1|c0");
    },
  },
  {
    title: "hides nothing that is received with a visibility of 0",
    async ask(at) {
      const queue = await at.queue();
      await queue.send("a0");
      await queue.receive({ VisibilityTimeout: 0 });
      equal(bodiesOf(await queue.receive()), "a0");
    },
  },
  {
    title: "gives the same messages to a receive that is repeated under its attempt id",
    async ask(at) {
      const queue = await at.queue();
      for (const body of ["a0", "a1", "a2"]) await queue.send(body);
      const attempt = { MaxNumberOfMessages: 2, ReceiveRequestAttemptId: "attempt" };
      await queue.receive(attempt);
      equal(bodiesOf(await queue.receive(attempt)), "a0 a1");
    },
  },
  {
    title: "gives a group to one of two receives that ask at once",
    async ask(at) {
      const queue = await at.queue();
      for (let n = 0; n < 6; n += 1) await queue.send(`a${n}`);
      const asked = { MaxNumberOfMessages: 3 };
      const both = await Promise.all([queue.receive(asked), queue.receive(asked)]);
      equal(both.map(bodiesOf).toSorted().join("|"), "|a0 a1 a2");
    },
  },
];
