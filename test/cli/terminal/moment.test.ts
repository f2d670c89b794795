import { describe, expect, it } from "vitest";
import { exactMoment, formatMoment, parseMoment } from "../../../cli/terminal/moment.ts";

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

  it.each([
    "",
    "yesterday",
    "2026-13-01",
    "2026-02-30",
    "2026-02-29T10:00:00Z",
    "2026-04-31T10:00:00+02:00",
    "2026-01-30 04:05",
    "12",
  ])("refuses `%s`", (text) => {
    expect(() => parseMoment(text, NOW)).toThrow(/Expected a moment such as 2h/);
  });

  it("takes a day that only some years have", () => {
    expect(formatMoment(parseMoment("2028-02-29", NOW))).toBe("2028-02-29T00:00:00Z");
  });

  it("goes back to 1970 at most", () => {
    expect(parseMoment("100000000d", NOW)).toBe(0);
  });
});

it.each([
  { momentMs: NOW, text: "2026-01-31T03:00:00Z" },
  { momentMs: NOW + 7, text: "2026-01-31T03:00:00.007Z" },
])("exactMoment writes $text, which is read again as the same moment", ({ momentMs, text }) => {
  expect(exactMoment(momentMs)).toBe(text);
  expect(parseMoment(text, 0)).toBe(momentMs);
});
