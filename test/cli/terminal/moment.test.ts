import { describe, expect, it } from "vitest";
import { formatMoment, parseMoment } from "../../../cli/terminal/moment.ts";

const NOW = Date.parse("2026-01-31T03:00:00Z");

describe("parseMoment", () => {
  it.each([
    { text: "2h", at: "2026-01-31T01:00:00Z", why: "durations count back from now" },
    { text: "2026-01-30", at: "2026-01-30T00:00:00Z", why: "a date is its midnight in UTC" },
    { text: "2026-01-30T04:05", at: "2026-01-30T04:05:00Z", why: "no zone is UTC" },
    { text: "2026-01-30T04:05:06+02:00", at: "2026-01-30T02:05:06Z", why: "a zone is kept" },
  ])("reads $text as $at: $why", ({ text, at }) => {
    expect(formatMoment(parseMoment(text, NOW))).toBe(at);
  });

  it.each(["", "yesterday", "2026-13-01", "2026-01-30 04:05", "12"])("refuses `%s`", (text) => {
    expect(() => parseMoment(text, NOW)).toThrow(/Expected a moment such as 2h/);
  });
});
