import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editsOf, plant } from "./fault.ts";
import { FAULTS } from "./faults.ts";

const PROJECT = join(import.meta.dirname, "../..");

describe("the list of planted faults", () => {
  it.each(FAULTS)("fits the code as it is: $name", (fault) => {
    for (const edit of editsOf(fault)) {
      const source = readFileSync(join(PROJECT, edit.file), "utf8");
      expect(plant(source, edit)).not.toBe(source);
    }
  });

  it("names each fault once", () => {
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
  });

  it("refuses a fault whose text is not there exactly once", () => {
    const edit = { file: "some.ts", find: "one", replace: "two" };
    expect(() => plant("none", { ...edit, find: "absent" })).toThrow("found it 0 times");
    expect(() => plant("one one", edit)).toThrow("found it 2 times");
  });
});
