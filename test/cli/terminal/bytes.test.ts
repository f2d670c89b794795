import { describe, expect, it } from "vitest";
import { formatBytes } from "../../../cli/terminal/bytes.ts";

describe("formatBytes", () => {
  it.each([
    { bytes: 640, text: "640 B" },
    { bytes: 1536, text: "1.5 KiB" },
    { bytes: 1_048_575, text: "1 MiB" },
    { bytes: 5 * 2 ** 40, text: "5 TiB" },
  ])("shows $bytes as $text", ({ bytes, text }) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
