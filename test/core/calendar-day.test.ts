import { expect, it } from "vitest";
import { beginsWithDay } from "../../lambdas/core/calendar-day.ts";

it.each([
  { text: "2026-01-31", is: true, why: "a day" },
  { text: "2028-02-29T10:00:00+02:00", is: true, why: "a leap day, with its time" },
  { text: "2026-02-29", is: false, why: "no leap year" },
  { text: "2026-04-31T00:00:00Z", is: false, why: "April has 30 days" },
  { text: "2026-13-01", is: false, why: "there is no such month" },
  { text: "", is: false, why: "nothing is no day" },
])("`$text` begins with a day: $is, for $why", ({ text, is }) => {
  expect(beginsWithDay(text)).toBe(is);
});
