import { describe, expect, it } from "vitest";
import { printable } from "../../../cli/terminal/printable.ts";

describe("printable", () => {
  it("shows terminal commands and text direction marks instead of obeying them", () => {
    expect(printable("a\u001b[31mred\u202e\u0007")).toBe("a\\u{1b}[31mred\\u{202e}\\u{7}");
  });

  it("makes one line of several and leaves other scripts alone", () => {
    expect(printable("no\r\n funds, 残高不足 🗡")).toBe("no  funds, 残高不足 🗡");
  });
});
