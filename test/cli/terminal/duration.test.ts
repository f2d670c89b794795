import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDuration, parseDuration } from "../../../cli/terminal/duration.ts";

describe("formatDuration", () => {
  it.each([
    { ms: 0, text: "0s", why: "nothing" },
    { ms: 999, text: "0s", why: "what is smaller than a second is cut off" },
    { ms: 12_000, text: "12s", why: "seconds alone" },
    { ms: 600_000, text: "10m", why: "a second unit of zero is left out" },
    { ms: 842_999, text: "14m02s", why: "padded, and never rounded up" },
    { ms: 7_500_000, text: "2h05m", why: "hours and minutes" },
    { ms: 273_600_000, text: "3d04h", why: "days and hours" },
    { ms: -90_000, text: "-1m30s", why: "a time that is over" },
  ])("shows $ms ms as $text: $why", ({ ms, text }) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe("parseDuration", () => {
  it.each([
    { text: "90s", ms: 90_000 },
    { text: "15min", ms: 900_000 },
    { text: "1h30m", ms: 5_400_000 },
    { text: "7d", ms: 604_800_000 },
  ])("reads $text", ({ text, ms }) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "2", "h", "2 h", "-2h", "30m1h", "2w", "1.5h", "9999999999999d"])(
    "does not take `%s` for a duration",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it("reads what formatDuration shows, cut to its two units", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400 * 40 }), (seconds) => {
        const read = parseDuration(formatDuration(seconds * 1000)) ?? Number.NaN;
        expect(read).toBeLessThanOrEqual(seconds * 1000);
        expect(formatDuration(read)).toBe(formatDuration(seconds * 1000));
      }),
    );
  });
});
