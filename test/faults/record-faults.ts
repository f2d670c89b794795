// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are quotes of code.
import type { Fault } from "./fault.ts";

const TESTS = [
  "test/core/drain/drain.test.ts",
  "test/core/drain/drain-settled.test.ts",
  "test/core/drain/drain-counts.test.ts",
  "test/core/drain/drain-overrun.test.ts",
  "test/model/drain-model.test.ts",
];

/** What an outage may not do to a record. */
const OUTAGE = ["test/core/drain/drain-outage.test.ts", "test/model/drain-model.test.ts"];

/** In the drain of one record: what is counted, when, and what an outcome leads to. */
export const RECORD_FAULTS: readonly Fault[] = [
  {
    name: "the attempt is counted after the handler",
    why: "a record that kills the process is never charged and blocks its partition for ever",
    file: "lambdas/core/drain/drain-record.ts",
    find: "  const attempt = await uncharged(turn, () =>\n",
    replace: `  const verdict = await call(turn, countedAttempts(arrival, turn.standing?.item) + 1);
  const attempt = await uncharged(turn, () =>
`,
    also: [
      {
        file: "lambdas/core/drain/drain-record.ts",
        find: "  const verdict = await call(turn, attempt);\n",
        replace: "",
      },
    ],
    tests: TESTS,
  },
  {
    name: "a careful success is recorded only at the end of the drain",
    why: "a killer behind it uses up its attempts",
    file: "lambdas/core/drain/drain-record.ts",
    find: `use up this one's attempts.
  await uncharged(turn, () => ports.ledger.markApplied(arrival.identity));
  return delivered(turn, SETTLED);`,
    replace: `use up this one's attempts.
  const { id, key, offset = "0" } = arrival.identity;
  return delivered(turn, { kind: "remembered", record: { id, key, offset } });`,
    tests: TESTS,
  },
  {
    name: "a first-receive failure is not counted",
    why: "a record gets one attempt more, and its failure is nowhere to be seen",
    file: "lambdas/core/drain/drain-record.ts",
    find: `if (verdict.kind === "failed") return countAndFail(turn, verdict);`,
    replace: `if (verdict.kind === "failed") return fail(turn, 1, verdict);`,
    tests: TESTS,
  },
  {
    name: "a replay is not counted before its call",
    why: "a replay that kills the process is repeated without end",
    file: "lambdas/core/drain/drain-record.ts",
    find: "return delivery.receives > 1 || replayed;",
    replace: "return delivery.receives > 1;",
    tests: TESTS,
  },
  {
    name: "a replay gets as many attempts as a first publish",
    why: "an operator's replay stalls live traffic",
    file: "lambdas/core/drain/drain-record.ts",
    find: "arrival.replayed ? 1 : ports.settings.maxAttempts",
    replace: "ports.settings.maxAttempts",
    tests: TESTS,
  },
  {
    name: "what the ledger settled is handled again",
    why: "a redelivery repeats the effect",
    file: "lambdas/core/drain/drain-record.ts",
    find: "if (standing !== undefined && isSettled(arrival, standing)) return acknowledge(turn, standing);",
    replace: "",
    tests: TESTS,
  },
  {
    name: "a record found in a batch entry stays listed as blocked",
    why: "operators chase a record that was applied",
    file: "lambdas/core/drain/drain-record.ts",
    find: "await ports.ledger.markApplied(arrival.identity, { onlyExisting: true });",
    replace: "",
    tests: TESTS,
  },
  {
    name: "a record is begun without time for it",
    why: "the function is stopped in the middle of a handler call",
    file: "lambdas/core/drain/drain-record.ts",
    find: "if (lacksTime(turn)) return Promise.resolve(outOfTime(turn));",
    replace: "",
    tests: TESTS,
  },
  {
    name: "misrouted records are handled",
    why: "a publisher with another partition count breaks the order without a trace",
    file: "lambdas/core/drain/drain-record.ts",
    find: "delivery.group !== undefined && delivery.group !== String(identity.partition)",
    replace: 'delivery.group === ""',
    tests: TESTS,
  },
  {
    name: "a record whose attempts are used up is called once more",
    why: "a killer takes one more process down",
    file: "lambdas/core/drain/drain-record.ts",
    find: "if (attempt > attemptsMax) {",
    replace: "if (attempt > attemptsMax + 1) {",
    tests: TESTS,
  },
  {
    name: "a message that died speaks for another of its id",
    why: "a letter moved back by hand is deleted unseen, and nothing else holds its body",
    file: "lambdas/core/drain/drain-record.ts",
    find: 'isDeadAs(arrival, standing.item) ? "dead" : "settled"',
    replace: '"settled"',
    tests: ["test/core/drain/drain-settled.test.ts", "test/model/regressions.test.ts"],
  },
  {
    name: "a lowered maximum hides why a record failed",
    why: "operators look for a crash where the game refused the record",
    file: "lambdas/core/drain/drain-record.ts",
    find: "  if (known !== undefined && calls > attemptsMax) return known;\n",
    replace: "",
    tests: TESTS,
  },
  {
    name: "the maximum of attempts is off by one",
    why: "a poison record holds its partition for one attempt more",
    file: "lambdas/core/drain/fail-record.ts",
    find: "attempt >= attemptsMax",
    replace: "attempt > attemptsMax",
    tests: TESTS,
  },
  {
    name: "poison is retried",
    why: "a record that can never be handled holds its partition",
    file: "lambdas/core/drain/fail-record.ts",
    find: "failed.poison || attempt >= attemptsMax",
    replace: "attempt >= attemptsMax",
    tests: TESTS,
  },
  {
    name: "a group goes on beside a handler that still runs",
    why: "two records of one partition are handled at once",
    file: "lambdas/core/drain/fail-record.ts",
    find: 'return failed.abandoned ? { kind: "deadButAbandoned" } : outcome;',
    replace: "return outcome;",
    tests: TESTS,
  },
  {
    name: "a lost reply to a count charges twice",
    why: "an innocent record dies of the network",
    file: "lambdas/core/drain/count-attempt.ts",
    find: "    if (isOurs(arrival, item, attemptId)) return item.attempts;\n",
    replace: "",
    tests: TESTS,
  },
  {
    name: "a failed attempt leaves no reason",
    why: "operators see that a record is blocked, and not why",
    file: "lambdas/core/drain/fail-record.ts",
    find: "  await note();\n",
    replace: "",
    tests: TESTS,
  },
  {
    name: "a death that failed leaves no reason",
    why: "the letter tells of an older failure than the one it died of",
    file: "lambdas/core/drain/fail-record.ts",
    find: "      await note().catch(() => undefined);\n",
    replace: "",
    tests: OUTAGE,
  },
  {
    name: "an outage is charged to the record it interrupts",
    why: "a long outage turns the head of each partition into a letter",
    file: "lambdas/core/drain/uncharged.ts",
    find: "    await ports.ledger.uncount(arrival.identity, attemptId).catch(() => undefined);\n",
    replace: "",
    tests: OUTAGE,
  },
  {
    name: "an effect whose outcome is unknown is charged",
    why: "an outage of DynamoDB's transactions kills records that never failed",
    file: "lambdas/core/drain/drain-record.ts",
    find: "attempt === undefined ? await write() : await uncharged(turn, write);",
    replace: "await write();",
    tests: OUTAGE,
  },
  {
    name: "a count whose outcome is unknown is charged",
    why: "a record dies that was never called",
    file: "lambdas/core/drain/drain-record.ts",
    find: `await uncharged(turn, () =>
    countAttempt(arrival, turn.standing?.item, turn.attemptId, ports.ledger),
  );`,
    replace: "await countAttempt(arrival, turn.standing?.item, turn.attemptId, ports.ledger);",
    tests: OUTAGE,
  },
  {
    name: "a letter that cannot be sent counts one attempt more",
    why: "the letter tells of more calls than there were",
    file: "lambdas/core/drain/drain-record.ts",
    find: "return uncharged(turn, () => die(turn, attempt - 1, usedUp(turn, attempt - 1)));",
    replace: "return die(turn, attempt - 1, usedUp(turn, attempt - 1));",
    tests: OUTAGE,
  },
  {
    name: "a record is called with no time left after a slow count",
    why: "Lambda stops the process in the middle of the call",
    file: "lambdas/core/drain/drain-record.ts",
    find: `  if (lacksTime(turn)) {
    await ports`,
    replace: `  if (lacksTime(turn) && turn.ports.clock.nowMs() > turn.invocation.deadlineMs) {
    await ports`,
    tests: OUTAGE,
  },
  {
    name: "the back-off does not grow",
    why: "an outage of the game's own uses up every attempt within seconds",
    file: "lambdas/core/drain/backoff.ts",
    find: "backoffBaseSeconds * 2 ** (attempts - 1)",
    replace: "backoffBaseSeconds",
    tests: ["test/core/drain/backoff.test.ts"],
  },
  {
    name: "invocations count under one attempt id",
    why: "one invocation takes another's count for its own, and calls the handler beside it",
    file: "lambdas/core/drain/drain-record.ts",
    find: "attemptId: `${invocation.id}:${arrival.delivery.messageId}`,",
    replace: "attemptId: arrival.delivery.messageId,",
    tests: TESTS,
  },
  {
    name: "a letter moved back by SQS's redrive is a first publish",
    why: "it is handled without a question to the ledger, with an offset that is not its own",
    file: "lambdas/core/wire/arrival.ts",
    find: "const mark = letter ?? replay;",
    replace: "const mark = replay;",
    tests: ["test/core/wire/arrival.test.ts", ...TESTS],
  },
];
