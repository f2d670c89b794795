import { expect, test } from "vitest";
import { rateSeconds } from "../../../local/deploy/rate.ts";

test.each([
  ["rate(1 minute)", 60],
  ["rate(5 minutes)", 300],
  ["rate(2 hours)", 7200],
  ["rate(1 day)", 86_400],
])("%s is every %d seconds", (expression, seconds) => {
  expect(rateSeconds(expression)).toBe(seconds);
});

test.each(["cron(0 12 * * ? *)", "rate(0 minutes)", "rate(1 second)", "at(2026-01-05T12:00:00)"])(
  "%s is refused",
  (expression) => {
    expect(() => rateSeconds(expression)).toThrow(expression);
  },
);
