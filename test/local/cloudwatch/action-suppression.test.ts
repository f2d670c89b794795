import { describe, expect, it } from "vitest";
import { suppressedBy } from "../../../local/cloudwatch/action-suppression.ts";

const CHANGED_AT_MS = 1_000_000;
const WAIT_MS = 60_000;
const EXTENSION_MS = 120_000;

describe("action suppression", () => {
  it.each([
    { inAlarm: true, left: undefined, after: 0, by: "Alarm", why: "the suppressor is in ALARM" },
    { inAlarm: true, left: undefined, after: 9e9, by: "Alarm", why: "however long that lasts" },
    { inAlarm: false, left: undefined, after: 59_999, by: "WaitPeriod", why: "it may still come" },
    { inAlarm: false, left: undefined, after: 60_000, by: undefined, why: "it did not come" },
    { inAlarm: false, left: 30_000, after: 149_999, by: "ExtensionPeriod", why: "it just left" },
    { inAlarm: false, left: 30_000, after: 150_000, by: undefined, why: "the extension is over" },
    { inAlarm: false, left: -119_999, after: 0, by: "ExtensionPeriod", why: "it left before" },
    { inAlarm: false, left: -200_000, after: 0, by: "WaitPeriod", why: "it left long before" },
  ])("is by $by $after ms after the change: $why", ({ inAlarm, left, after, by }) => {
    const suppression = {
      changedAtMs: CHANGED_AT_MS,
      suppressorInAlarm: inAlarm,
      suppressorLeftAtMs: left === undefined ? undefined : CHANGED_AT_MS + left,
      waitMs: WAIT_MS,
      extensionMs: EXTENSION_MS,
    };
    expect(suppressedBy(suppression, CHANGED_AT_MS + after)).toBe(by);
  });
});
