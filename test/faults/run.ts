import { availableParallelism } from "node:os";
import type { Fault } from "./fault.ts";
import { FAULTS } from "./faults.ts";
import { copyProject, type PlantedCopy } from "./planted-copy.ts";
import { runTests, type TestRun } from "./test-run.ts";

/** A part of a name, to run the faults that have it in theirs, and the one test file that has to catch
 *  them; all faults and each one's own tests where nothing is given. */
const [, , part = "", only] = process.argv;
const chosen = FAULTS.filter(({ name }) => name.includes(part)).map((fault) =>
  only === undefined ? fault : { ...fault, tests: [only] },
);

/** Plants one fault after another in copies of the project and says which test catches it. Ends with
 *  `N of N caught`; exits with 1 where one is not, or where the tests fail without any fault. */
const copies = await Promise.all(
  Array.from({ length: Math.min(2, availableParallelism()) }, copyProject),
);
try {
  await checkUnchanged(copies);
  const caught = await plantAll(copies);
  console.log(`${caught} of ${chosen.length} caught`);
  if (caught < chosen.length) process.exitCode = 1;
} finally {
  await Promise.all(copies.map((copy) => copy.remove()));
}

/** Else a failure under a fault would say nothing of the fault. */
async function checkUnchanged([copy]: readonly PlantedCopy[]): Promise<void> {
  if (copy === undefined) return;
  const paths = [...new Set(chosen.flatMap(({ tests }) => tests))].toSorted();
  const run = await runTests(copy.root, paths);
  if (run.kind !== "passed") {
    throw new Error(
      `Expected the tests to pass without any fault; they did not: ${verdictOf(run)}. Mend that first`,
    );
  }
  console.log(`without a fault: ${run.tests} tests of ${paths.length} files pass`);
}

async function plantAll(copies: readonly PlantedCopy[]): Promise<number> {
  let caught = 0;
  const waiting = chosen.values();
  const lane = async (copy: PlantedCopy): Promise<void> => {
    // One iterator for all copies: each takes the next fault when it is done with one.
    for (const fault of waiting) {
      const run = await runWith(fault, copy);
      if (run.kind === "failed") caught += 1;
      console.log(`${fault.name}: ${verdictOf(run)}`);
    }
  };
  await Promise.all(copies.map(lane));
  return caught;
}

function runWith(fault: Fault, copy: PlantedCopy): Promise<TestRun> {
  return copy.withFault(fault, () => runTests(copy.root, fault.tests));
}

function verdictOf(run: TestRun): string {
  switch (run.kind) {
    case "failed":
      return `caught by "${run.by}" (${run.file})`;
    case "passed":
      return `NOT CAUGHT by any of ${run.tests} tests`;
    case "broken":
      return `NOT CAUGHT, no test gave a verdict: ${run.reason}`;
    default:
      return run satisfies never;
  }
}
