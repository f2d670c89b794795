import { describe, expect, it } from "vitest";
import { nextTryOf, nextTryText } from "../../../cli/status/next-try.ts";
import { NOW } from "../letters/letters.ts";

const LOCATION = { name: "grants", backoff: { baseSeconds: 8, capSeconds: 60 } };

function textAfter(agoMs: number, attempts = 1) {
  return nextTryText(nextTryOf({ attempts, failedAtMs: NOW - agoMs }, LOCATION, NOW), NOW);
}

describe("the next try of a blocked head", () => {
  it.each([
    { agoMs: 0, attempts: 1, text: "in 4s to 8s", why: "up to half of the back-off is taken off" },
    { agoMs: 0, attempts: 2, text: "in 8s to 16s", why: "it doubles with each attempt" },
    { agoMs: 0, attempts: 9, text: "in 30s to 1m", why: "the cap holds" },
    { agoMs: 5000, attempts: 1, text: "within 3s", why: "it may be any moment now" },
    { agoMs: 8000, attempts: 1, text: "due", why: "the back-off is over" },
  ])("is `$text` $agoMs ms after attempt $attempts: $why", ({ agoMs, attempts, text }) => {
    expect(textAfter(agoMs, attempts)).toBe(text);
  });

  it("is unknown without a recorded failure, or without the backlog's back-off", () => {
    expect(nextTryOf({ attempts: 1, failedAtMs: undefined }, LOCATION, NOW).kind).toBe("unknown");
    expect(nextTryOf({ attempts: 1, failedAtMs: NOW }, { name: "old" }, NOW).kind).toBe("unknown");
  });
});
