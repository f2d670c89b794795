// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are quotes of code.
import type { Fault } from "./fault.ts";

const TESTS = [
  "test/core/drain/attempt.test.ts",
  "test/core/drain/drain.test.ts",
  "test/core/drain/drain-counts.test.ts",
  "test/core/drain/drain-overrun.test.ts",
];

/** In the call of the handler and in what is made of its answer. */
export const HANDLER_FAULTS: readonly Fault[] = [
  {
    name: "any result of the handler is a success",
    why: "a handler with a mistake loses every record",
    file: "lambdas/core/drain/attempt.ts",
    find: `    return failure(
      "the handler returned neither`,
    replace: `    if (result !== null) return { kind: "done", effects: [] };
    return failure(
      "the handler returned neither`,
    tests: TESTS,
  },
  {
    name: "a handler that ignores its signal is taken for stopped",
    why: "the next attempt runs beside it",
    file: "lambdas/core/drain/attempt.ts",
    find: 'abandoned: settled === "over" };',
    replace: "abandoned: false };",
    tests: TESTS,
  },
  {
    name: "the signal never fires",
    why: "a handler cannot stop in time and is abandoned at work",
    file: "lambdas/core/drain/attempt.ts",
    find: "  controller.abort(new Error(reason));\n",
    replace: "",
    tests: TESTS,
  },
  {
    name: "a timer that fires late does not re-arm",
    why: "a blocked event loop is charged to a record that had no time",
    file: "lambdas/core/drain/attempt.ts",
    find: "if (lateMs <= LATE_TIMER_MS || againMs <= 0) timeOut();",
    replace: "if (lateMs >= 0 || againMs <= 0) timeOut();",
    tests: TESTS,
  },
  {
    name: "too many effects are tried again",
    why: "a record that can never be applied holds its partition",
    file: "lambdas/core/drain/attempt.ts",
    find: "one transaction takes ${EFFECTS_PER_RECORD}`,\n      true,",
    replace: "one transaction takes ${EFFECTS_PER_RECORD}`,\n      false,",
    tests: TESTS,
  },
  {
    name: "only the handler's own class of poison counts",
    why: "a bundle with a second copy of the class retries poison",
    file: "lambdas/core/drain/attempt.ts",
    find: " || isNamedPoison(thrown)",
    replace: "",
    tests: TESTS,
  },
  {
    name: "refused effects count as applied",
    why: "a purchase that the game's own condition refused is lost",
    file: "lambdas/core/drain/drain-record.ts",
    find: `    case "already":
      return settledElsewhere(turn);
    case "refused":`,
    replace: `    case "already":
    case "refused":
      return settledElsewhere(turn);`,
    tests: TESTS,
  },
  {
    name: "effects on the ledger's table are tried again",
    why: "a record that can never be applied holds its partition",
    file: "lambdas/core/drain/drain-record.ts",
    find: 'poison: applied.kind === "forbidden",',
    replace: "poison: false,",
    tests: TESTS,
  },
  {
    name: "a success without an offset is remembered in a batch entry",
    why: "no entry can name it, and a redelivery repeats it",
    file: "lambdas/core/drain/drain-record.ts",
    find: `  if (offset === undefined) {
    // A batch entry`,
    replace: `  if (offset === undefined) {
    if (id !== "") return delivered(turn, { kind: "remembered", record: { id, key, offset: "0" } });
    // A batch entry`,
    tests: TESTS,
  },
];
