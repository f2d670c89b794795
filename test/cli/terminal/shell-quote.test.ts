import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable } from "../../../cli/terminal/printable.ts";
import { shellQuote } from "../../../cli/terminal/shell-quote.ts";

/** What a shell makes of arguments as they are printed. */
function asShellReads(args: readonly string[]): readonly string[] {
  const command = `printf '%s\\0' ${args.map(shellQuote).join(" ")}`;
  const read = execFileSync("bash", ["-c", command]).toString();
  return read.split("\0").slice(0, -1);
}

describe("shellQuote", () => {
  it.each(["plain-id_1:2", "", "it's", "$(id)", 'a "b"', "two words", "\\", "*", "=x", "~", "é"])(
    "hands `%s` to any shell unchanged",
    (argument) => {
      const shown = execFileSync("sh", ["-c", `printf %s ${shellQuote(argument)}`]);
      expect(shown.toString()).toBe(argument);
    },
  );

  it.each([
    { what: "a zero-width joiner", argument: "a\u200db" },
    { what: "a joiner before a digit", argument: "a\u200d7" },
    { what: "a line feed and a tab", argument: "a\n\tb" },
    { what: "an escape", argument: "\u001b[31mred" },
    { what: "a turn of the line", argument: "\u202eit's \\ $HOME" },
    { what: "a tag outside the first plane", argument: "\u{e0041}" },
  ])(
    "prints nothing that moves a terminal for $what, and a shell reads it again",
    ({ argument }) => {
      expect(printable(shellQuote(argument))).toBe(shellQuote(argument));
      expect(asShellReads([argument])).toEqual([argument]);
    },
  );

  it("hands whatever a record's id or key may hold to a shell unchanged", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("\u200d", "'", "\\", "\n", "7", "a", "$", " ") }),
    );
    // No argument of a process can hold a NUL.
    const argument = text.map((each) => each.replaceAll("\0", ""));
    await fc.assert(
      fc.property(fc.array(argument, { minLength: 1, maxLength: 50 }), (args) => {
        expect(asShellReads(args)).toEqual(args);
      }),
      { numRuns: 50 },
    );
  });

  it("leaves what needs no quotes without them", () => {
    expect(shellQuote("0198c2f4-7d1e")).toBe("0198c2f4-7d1e");
  });
});
