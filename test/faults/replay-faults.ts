import type { Fault } from "./fault.ts";

const TESTS = [
  "test/core/replay/replay.test.ts",
  "test/core/replay/replay-faults.test.ts",
  "test/core/replay/replay-native.test.ts",
  "test/core/replay/replay-selection.test.ts",
  "test/core/replay/replay-dry-run.test.ts",
  "test/core/replay/replay-lease.test.ts",
  "test/core/replay/replay-model.test.ts",
];

/** In the replay of dead letters. */
export const REPLAY_FAULTS: readonly Fault[] = [
  {
    name: "a letter is deleted before its successor is accepted",
    why: "a refused or lost send loses the record",
    file: "lambdas/core/replay/replay-pass.ts",
    find: "    const outcome = await source.send(",
    replace: `    await remove(letter, "sent", state, custody);
    const outcome = await source.send(`,
    tests: TESTS,
  },
  {
    name: "a send of unknown outcome counts as accepted",
    why: "the letter goes although its successor may not exist",
    file: "lambdas/core/replay/replay-pass.ts",
    find: 'if (outcome.kind === "unknown") {',
    replace: 'if (outcome.kind === "unknown" && id === "") {',
    tests: TESTS,
  },
  {
    name: "a partition goes on behind a send of unknown outcome",
    why: "later records overtake the one that is not known to be sent",
    file: "lambdas/core/replay/replay-pass.ts",
    find: `partition waits: run again\`,
      });
      return "stop";`,
    replace: `partition waits: run again\`,
      });
      return "next";`,
    tests: TESTS,
  },
  {
    name: "a dry run removes letters of applied records",
    why: "looking changes what is looked at",
    file: "lambdas/core/replay/replay-pass.ts",
    find: `  if (!state.dryRun) {
    // Before the letter goes`,
    replace: `  {
    // Before the letter goes`,
    tests: TESTS,
  },
  {
    name: "the ledger's `applied` is not heeded",
    why: "a replay repeats the effect",
    file: "lambdas/core/replay/replay-decision.ts",
    find: 'if (item?.state === "applied") return { kind: "remove", listed: false };',
    replace: "",
    tests: TESTS,
  },
  {
    name: "a batch entry that names the record is not heeded",
    why: "a plain handler's effect is repeated",
    file: "lambdas/core/replay/replay-decision.ts",
    find: 'if (standing?.entry === "named") return',
    replace: 'if (standing?.entry === "named" && letter.record.id === "") return',
    tests: TESTS,
  },
  {
    name: "what cannot be told is sent",
    why: "a record that may have been applied is applied again",
    file: "lambdas/core/replay/replay-decision.ts",
    find: 'if (standing?.entry !== "absent") return',
    replace: "if (standing === undefined) return",
    tests: TESTS,
  },
  {
    name: "a replay's generation ignores the ledger's",
    why: "the consumer takes it for an old copy and acknowledges it unseen",
    file: "lambdas/core/replay/replay-decision.ts",
    find: "Math.max(letter.record.generation, item?.generation ?? 0) + 1",
    replace: "letter.record.generation + 1",
    tests: TESTS,
  },
  {
    name: "the de-duplication id of a replay lacks the generation",
    why: "a second replay within five minutes is dropped by SQS, and its letter deleted",
    file: "lambdas/core/wire/identity.ts",
    find: '["replay", id, generation]',
    replace: '["replay", id]',
    tests: ["test/core/replay/replay-message.test.ts", "test/core/wire/identity.test.ts", ...TESTS],
  },
  {
    name: "a replay loses the record's first offset",
    why: "the ledger's entries can no more be searched for it",
    file: "lambdas/core/replay/replay-message.ts",
    find: "encodeReplay({ generation, offset, enqueuedAtMs, runId })",
    replace: "encodeReplay({ generation, offset: undefined, enqueuedAtMs, runId })",
    tests: TESTS,
  },
  {
    name: "a replay goes into the group that its letter came in",
    why: "two consumers work on one partition",
    file: "lambdas/core/replay/replay-message.ts",
    find: "group: String(partition),",
    replace: "group: delivery.group ?? String(partition),",
    tests: ["test/core/replay/replay-message.test.ts", ...TESTS],
  },
  {
    name: "a dry run sends",
    why: "looking changes what is looked at",
    file: "lambdas/core/replay/replay-pass.ts",
    find: `  if (!state.dryRun) {
    const outcome = await source.send(`,
    replace: `  {
    const outcome = await source.send(`,
    tests: TESTS,
  },
  {
    name: "a letter without a key is sent",
    why: "no partition's order covers it",
    file: "lambdas/core/replay/replay-decision.ts",
    find: 'if (record.key === "") {',
    replace: "if (record.key === record.id) {",
    tests: TESTS,
  },
  {
    name: "a letter that cannot be read is sent",
    why: "it comes back as a letter for ever",
    file: "lambdas/core/replay/replay-decision.ts",
    find: "if (malformed !== undefined) {",
    replace: 'if (malformed === "") {',
    tests: TESTS,
  },
  {
    name: "an applied record stays listed when its letter is removed",
    why: "operators chase a record that was applied",
    file: "lambdas/core/replay/replay-pass.ts",
    find: "    if (listed) await records.markApplied(letter.record, { onlyExisting: true });\n",
    replace: "",
    tests: TESTS,
  },
  {
    name: "the dead-letter queue's own number is taken for an offset",
    why: "the search for its batch entry looks in the wrong place, and it is applied again",
    file: "lambdas/core/replay/replay-letter.ts",
    find: "return native ? undefined : item?.offset;",
    replace: "return native ? identity.offset : item?.offset;",
    tests: ["test/core/replay/replay-letter.test.ts", ...TESTS],
  },
];
