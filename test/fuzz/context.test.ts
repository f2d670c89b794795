import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { appSettingsOf } from "../../infra/app-settings.ts";
import {
  DEFAULT_SETTINGS,
  innocentReceives,
  type Settings,
  settingsOf,
} from "../../lambdas/core/settings.ts";
import { objectWith, oddValue } from "./hostile-objects.ts";
import { hostileText } from "./hostile-text.ts";
import { outcomeOf } from "./outcome-of.ts";

// Seconds of work for a machine that is busy with other tests.
vi.setConfig({ testTimeout: 30_000 });

const RUNS = { numRuns: 1000 };

describe("a context of the app", () => {
  const names = [...Object.keys(DEFAULT_SETTINGS), "visibilityTimeoutSeconds", "maxReceiveCount"];
  const others = ["handler", "handlerTables", "pageMail", "pageTopicArn", "runbook", "@aws/flag"];
  const context = objectWith(
    [...names, ...others],
    fc.oneof(
      oddValue,
      fc.integer({ min: 0, max: 70 }),
      fc.integer({ min: 1, max: 2_000_000 }).map(String),
    ),
    // An unknown key is compared with each known one, letter by letter.
    hostileText.filter((name) => name.length <= 300),
  );

  test("gives settings that hold together, or a RangeError that says what was expected", async () => {
    let held = 0;
    await fc.assert(
      fc.property(context, (given) => {
        const { value, error } = outcomeOf(() => settingsOf(appSettingsOf(given).settings));
        if (value === undefined) {
          expect(error).toBeInstanceOf(RangeError);
          expect((error as Error).message).toContain("Expected ");
          return;
        }
        held += 1;
        expectToHoldTogether(value);
      }),
      RUNS,
    );
    expect(held).toBeGreaterThan(0);
  });

  test("whose number or name is of another kind is refused by the settings themselves", async () => {
    const wrong = fc.constantFrom(null, true, "", [], Number.NaN, Number.POSITIVE_INFINITY);
    await fc.assert(
      fc.property(fc.constantFrom(...names), wrong, (name, value) => {
        const given = { [name]: value } as Partial<Settings>;
        const { error } = outcomeOf(() => settingsOf(given));
        // These two follow from others where they are not given, and `null` counts as that.
        const derived = value === null && /^(visibilityTimeoutSeconds|maxRec)/.test(name);
        if (!derived) expect(error).toBeInstanceOf(RangeError);
      }),
    );
  });
});

function expectToHoldTogether(settings: Settings): void {
  const { name, ...numbers } = settings;
  expect(name).toMatch(/^[A-Za-z][A-Za-z0-9-]*$/);
  for (const value of Object.values(numbers)) expect(Number.isFinite(value)).toBe(true);
  const s = settings;
  expect(s.consumerTimeoutSeconds).toBeGreaterThan(
    s.handlerTimeoutSeconds + s.deadlineMarginSeconds,
  );
  expect(s.visibilityTimeoutSeconds).toBeGreaterThan(s.consumerTimeoutSeconds);
  expect(s.visibilityTimeoutSeconds).toBeGreaterThan(s.backoffCapSeconds);
  expect(s.backoffCapSeconds).toBeGreaterThanOrEqual(s.backoffBaseSeconds);
  expect(s.maxReceiveCount).toBeGreaterThanOrEqual(innocentReceives(s.batchSize, s.maxAttempts));
  expect(s.sourceRetentionSeconds).toBeGreaterThan(s.maxReceiveCount * s.visibilityTimeoutSeconds);
  expect(s.letterRetentionSeconds).toBeGreaterThanOrEqual(s.sourceRetentionSeconds);
  for (const age of [s.warnAgeSeconds, s.pageAgeSeconds]) {
    expect(age).toBeLessThanOrEqual(s.sourceRetentionSeconds / 2);
  }
  expect(s.ledgerMemorySeconds).toBeGreaterThan(
    s.sourceRetentionSeconds + s.letterRetentionSeconds,
  );
}
