import type { Fault } from "./fault.ts";

const TESTS = [
  "test/aws/letter-queue.test.ts",
  "test/core/replay/replay.test.ts",
  "test/core/replay/replay-selection.test.ts",
  "test/core/replay/replay-model.test.ts",
];

/** In the replay's rounds, and in the requests that a round's letters share. */
export const REPLAY_BATCH_FAULTS: readonly Fault[] = [
  {
    name: "a request of a replay is bounded by its count alone",
    why: "ten large letters are refused together, and none can ever be replayed",
    file: "lambdas/aws/send-outcome.ts",
    find: " || bytes > room) {",
    replace: ") {",
    tests: TESTS,
  },
  {
    name: "an entry that failed behind a lost answer counts as refused",
    why: "the partition goes on behind a letter that may be in the source queue",
    file: "lambdas/aws/send-outcome.ts",
    find: "onlyTry && failed.SenderFault === true",
    replace: "failed.SenderFault === true",
    tests: TESTS,
  },
  {
    name: "every message of a request counts as accepted",
    why: "a letter whose successor was refused is removed",
    file: "lambdas/aws/send-outcome.ts",
    find: "if (accepted !== undefined) return",
    replace: "if (accepted !== undefined || Failed.length > 0) return",
    also: [
      {
        file: "lambdas/aws/send-outcome.ts",
        find: 'messageId: accepted.MessageId ?? ""',
        replace: 'messageId: accepted?.MessageId ?? ""',
      },
    ],
    tests: TESTS,
  },
  {
    name: "a removal that SQS refused counts as done",
    why: "nobody learns that a letter is still there",
    file: "lambdas/aws/letter-queue.ts",
    find: "if (removed.has(id)) return undefined;",
    replace: "if (removed.size >= 0) return undefined;",
    tests: TESTS,
  },
  {
    name: "one letter's standing serves for those behind it",
    why: "letters are sent though applied, or removed though not",
    file: "lambdas/core/replay/replay-line.ts",
    find: "return standings[turn - askedFrom];",
    replace: "return standings[0];",
    tests: TESTS,
  },
  {
    name: "a round does not wait for its share of the rate",
    why: "a replay floods the consumer beside live traffic",
    file: "lambdas/core/replay/replay-pace.ts",
    find: "turns * intervalMs",
    replace: "0 * turns * intervalMs",
    tests: TESTS,
  },
];
