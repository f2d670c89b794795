import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { shellQuote } from "../../../cli/terminal/shell-quote.ts";

describe("shellQuote", () => {
  it.each(["plain-id_1:2", "", "it's", "$(id)", 'a "b"', "two words", "\\", "*"])(
    "hands `%s` to a shell unchanged",
    (argument) => {
      const shown = execFileSync("sh", ["-c", `printf %s ${shellQuote(argument)}`]);
      expect(shown.toString()).toBe(argument);
    },
  );

  it("leaves what needs no quotes without them", () => {
    expect(shellQuote("0198c2f4-7d1e")).toBe("0198c2f4-7d1e");
  });
});
