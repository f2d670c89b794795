import type { Fault } from "./fault.ts";

const DRAIN = [
  "test/core/drain/drain.test.ts",
  "test/core/drain/drain-settled.test.ts",
  "test/model/drain-model.test.ts",
];
const STANDING = [
  ...DRAIN,
  "test/core/replay/replay.test.ts",
  "test/core/replay/replay-model.test.ts",
];

/** In what is kept of a dead record, and in who is taken for dead or settled. */
export const LETTER_FAULTS: readonly Fault[] = [
  {
    name: "a record is marked dead before its letter is accepted",
    why: "a refused letter is lost: its record is acknowledged unseen",
    file: "lambdas/core/drain/fail-record.ts",
    find: "  await ports.deadLetters.send(delivery, {",
    replace: `  const death = { reason, failedAtMs, attempts, messageId: delivery.messageId };
  await ports.ledger.markDead(identity, death);
  await ports.deadLetters.send(delivery, {`,
    tests: DRAIN,
  },
  {
    name: "a death is not marked in the ledger",
    why: "nobody can list the dead letters",
    file: "lambdas/core/drain/fail-record.ts",
    find: "  await ports.ledger.markDead(identity, { reason, failedAtMs, attempts, messageId });\n",
    replace: "",
    tests: DRAIN,
  },
  {
    name: "the dead flag is not per generation",
    why: "a replay is acknowledged without a call",
    file: "lambdas/core/drain/standing.ts",
    find: `    item?.state === "dead" &&
    item.generation === arrival.identity.generation &&
    item.messageId === arrival.delivery.messageId`,
    replace: `    item?.state === "dead"`,
    tests: STANDING,
  },
  {
    name: "the dead flag is not per message",
    why: "a letter moved back by SQS's own redrive is lost",
    file: "lambdas/core/drain/standing.ts",
    find: ` &&
    item.messageId === arrival.delivery.messageId`,
    replace: "",
    tests: STANDING,
  },
  {
    name: "what was applied in another generation is not applied",
    why: "a replay repeats the effect",
    file: "lambdas/core/drain/standing.ts",
    find: 'return item.state === "applied" || item.generation > generation || isDeadAs(arrival, item);',
    replace: `if (item.generation > generation) return item.state !== "applied";
  return (item.generation === generation && item.state === "applied") || isDeadAs(arrival, item);`,
    tests: STANDING,
  },
  {
    name: "a copy of an older generation is handled",
    why: "a record is handled beside its own replay",
    file: "lambdas/core/drain/standing.ts",
    find: 'item.state === "applied" || item.generation > generation',
    replace: 'item.state === "applied"',
    tests: STANDING,
  },
  {
    name: "attempts of an older generation count on",
    why: "a replay is dead before its call",
    file: "lambdas/core/drain/standing.ts",
    find: `item !== undefined &&
    item.generation === arrival.identity.generation &&`,
    replace: "item !== undefined &&",
    tests: STANDING,
  },
  {
    name: "a reason is cut in the middle of a code point",
    why: "SQS refuses the letter, and its record blocks the partition",
    file: "lambdas/core/dead-letter.ts",
    find: "Array.from(clean.slice(0, REASON_BYTES))",
    replace: 'clean.slice(0, REASON_BYTES).split("")',
    tests: ["test/core/dead-letter.test.ts"],
  },
  {
    name: "a reason is measured before it is escaped",
    why: "quotes and line ends make the letter larger than its room",
    file: "lambdas/core/dead-letter.ts",
    find: "return encoder.encode(JSON.stringify(text)).length - 2;",
    replace: "return encoder.encode(text).length;",
    tests: ["test/core/dead-letter.test.ts"],
  },
  {
    name: "a second death has the de-duplication id of the first",
    why: "SQS drops the letter within five minutes, and the record is lost",
    file: "lambdas/core/wire/identity.ts",
    find: '["letter", id, generation, messageId]',
    replace: '["letter", id]',
    tests: ["test/aws/sqs-dead-letters.test.ts", "test/core/wire/identity.test.ts"],
  },
  {
    name: "letters share their partition's group",
    why: "reading ten letters hides the rest",
    file: "lambdas/aws/sqs-dead-letters.ts",
    find: "MessageGroupId: sqsIdOf(id),",
    replace: "MessageGroupId: String(facts.partition),",
    tests: ["test/aws/sqs-dead-letters.test.ts"],
  },
  {
    name: "a letter that does not fit is sent with its facts all the same",
    why: "SQS refuses it, and its record blocks the partition",
    file: "lambdas/core/wire/letter-attributes.ts",
    find: "return fits ? marked : message.attributes;",
    replace: "return marked;",
    tests: ["test/aws/sqs-dead-letters.test.ts"],
  },
  {
    name: "a replayed record is as old as its first publish",
    why: "a replay of old letters pages, and refuses the next one",
    file: "lambdas/core/backlog.ts",
    find: ".filter(({ generation }) => generation === 0)",
    replace: "",
    tests: ["test/core/backlog.test.ts"],
  },
  {
    name: "a discarded letter counts as any letter the moment that its time ends",
    why: "it pages at its end, for SQS's counts lag behind",
    file: "lambdas/core/letters/count-withheld.ts",
    find: "living.length + Math.min(ended, Math.max(0, unlisted - living.length))",
    replace: "living.length",
    tests: ["test/core/backlog.test.ts"],
  },
  {
    name: "a letter that SQS has deleted is restored",
    why: "an operator waits for a replay of what is gone",
    file: "lambdas/core/letters/restore.ts",
    find: "return EXPIRED;",
    replace: "return undefined;",
    tests: ["test/core/letters/discard.test.ts"],
  },
  {
    name: "letters are discarded in the order in which the ledger lists them",
    why: "others are discarded than an operator looked at",
    file: "lambdas/core/letters/discard.ts",
    find: ".toSorted(compareFailures)",
    replace: "",
    tests: ["test/core/letters/discard.test.ts"],
  },
  {
    name: "a receive goes past withheld letters without end",
    why: "the function dies before it can answer",
    file: "lambdas/core/letters/unwithheld-queue.ts",
    find: " || clock.nowMs() >= untilMs",
    replace: "",
    tests: ["test/core/letters/unwithheld-queue.test.ts"],
  },
  {
    name: "letters that SQS moved stay in their partition's group during a search",
    why: "ten of them keep every letter behind them from being shown, edited or purged",
    file: "lambdas/core/letters/letter-search.ts",
    find: "    if (await moved.renew()) continue;\n",
    replace: "",
    tests: ["test/core/letters/payload.test.ts"],
  },
  {
    name: "a letter that cannot be read has the payload that its body looks like",
    why: "an edit to the same text leaves it unreadable",
    file: "lambdas/core/letters/edit.ts",
    find: "payloadOf(delivery) !== undefined && ",
    replace: "",
    tests: ["test/core/letters/payload.test.ts"],
  },
];
