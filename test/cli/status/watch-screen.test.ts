import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { watchScreenOf } from "../../../cli/status/watch-screen.ts";

/** What is written to a stream of this kind when the texts are shown. */
function shown(kind: { isTTY?: boolean; rows?: number; json?: boolean }, ...texts: string[]) {
  const { isTTY = false, rows = 24, json = false } = kind;
  const stream = Object.assign(new PassThrough(), { isTTY, rows });
  const screen = watchScreenOf(stream as unknown as NodeJS.WriteStream, json);
  for (const text of texts) screen.show(text);
  return String(stream.read());
}

const HOME = "\u001b[1;1H\u001b[0J";

describe("the screen of a watch", () => {
  it("puts each text in the place of the one before on a terminal", () => {
    expect(shown({ isTTY: true }, "a\nb", "c")).toBe(`${HOME}a\nb\n${HOME}c\n`);
  });

  it("cuts to the terminal's height from below, for the verdict stands first", () => {
    const lines = Array.from({ length: 9 }, (_, n) => `line ${n}`).join("\n");
    expect(shown({ isTTY: true, rows: 6 }, lines)).toBe(
      `${HOME}line 0\nline 1\nline 2\nline 3\n... 5 more lines\n`,
    );
    expect(shown({ isTTY: true, rows: 10 }, lines)).toBe(`${HOME}${lines}\n`);
    expect(shown({ isTTY: true, rows: 0 }, lines)).toBe(`${HOME}${lines}\n`);
  });

  it("prints block after block elsewhere, and JSON line after line anywhere", () => {
    expect(shown({}, "a", "b")).toBe("a\n\nb\n");
    expect(shown({ isTTY: true, json: true }, "{}", "{}")).toBe("{}\n{}\n");
  });
});
