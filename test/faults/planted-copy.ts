import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { editsOf, type Fault, plant } from "./fault.ts";

const PROJECT = join(import.meta.dirname, "../..");

/** All that the tests named by the faults need. `node_modules` is found above the copy. */
const COPIED = [
  ...["infra", "lambdas", "local", "test"],
  ...["cdk.json", "package.json", "tsconfig.json", "vitest.config.ts"],
];

/** A copy of the project in which faults can be planted without touching the original. */
export type PlantedCopy = {
  readonly root: string;
  /** Calls with the fault in place, and takes it out again.
   *  @throws where the fault does not fit the code. */
  readonly withFault: <T>(fault: Fault, act: () => Promise<T>) => Promise<T>;
  readonly remove: () => Promise<void>;
};

/** Copies the project into its own ignored `.local` folder. */
export async function copyProject(): Promise<PlantedCopy> {
  await mkdir(join(PROJECT, ".local"), { recursive: true });
  const root = await mkdtemp(join(PROJECT, ".local/faults-"));
  for (const name of COPIED) await cp(join(PROJECT, name), join(root, name), { recursive: true });
  return {
    root,
    async withFault(fault, act) {
      const before = await plantInto(root, fault);
      try {
        return await act();
      } finally {
        for (const [path, source] of before) await writeFile(path, source);
      }
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** @returns the changed files as they were. */
async function plantInto(root: string, fault: Fault): Promise<ReadonlyMap<string, string>> {
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const edit of editsOf(fault)) {
    const path = join(root, edit.file);
    if (!before.has(path)) before.set(path, await readFile(path, "utf8"));
    after.set(path, plant(after.get(path) ?? before.get(path) ?? "", edit));
  }
  // Only once every change is known to fit: half a fault is another fault.
  for (const [path, source] of after) await writeFile(path, source);
  return before;
}
