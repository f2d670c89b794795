import { describe, expect, it } from "vitest";
import { tableOf } from "../../../cli/terminal/table.ts";

describe("tableOf", () => {
  const columns = [{ title: "n", align: "right" }, { title: "reason" }] as const;
  const long = "a reason that is much longer than the terminal is wide";

  it("cuts the last column to the terminal's width", () => {
    const lines = tableOf(columns, [["10", long]], { width: 40 }).split("\n");
    expect(lines[1]).toMatch(/^ {2}10 {2}a reason .*…$/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(40);
  });

  it("cuts nothing off a terminal and writes no colours", () => {
    expect(tableOf(columns, [["10", long]])).toBe(`   n  reason\n  10  ${long}`);
  });
});
