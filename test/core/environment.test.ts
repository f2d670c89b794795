import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromEnvironment, toEnvironment } from "../../lambdas/core/environment.ts";
import { type Settings, settingsOf } from "../../lambdas/core/settings.ts";

const settings: fc.Arbitrary<Settings> = fc
  .record({
    name: fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,63}$/),
    partitions: fc.integer({ min: 1, max: 100_000 }),
    batchSize: fc.integer({ min: 1, max: 10 }),
    maxAttempts: fc.integer({ min: 1, max: 20 }),
    consumerTimeoutSeconds: fc.integer({ min: 20, max: 900 }),
    backoffBaseSeconds: fc.double({ min: 0, max: 2, noNaN: true }),
    backoffCapSeconds: fc.double({ min: 2, max: 60, noNaN: true }),
    warnAgeSeconds: fc.integer({ min: -5, max: 1000 }),
    maxCount: fc.integer(),
    replayLimit: fc.integer({ min: 1, max: 100_000 }),
  })
  .map(settingsOf);

const deployment = fc.record({
  settings,
  sourceUrl: fc.webUrl(),
  letterQueueUrl: fc.webUrl(),
  ledgerTable: fc.string({ minLength: 1 }),
});

const ENVIRONMENT = toEnvironment({
  settings: settingsOf(),
  sourceUrl: "https://sqs.us-east-1.amazonaws.com/123456789012/source.fifo",
  letterQueueUrl: "https://sqs.us-east-1.amazonaws.com/123456789012/letters.fifo",
  ledgerTable: "ledger",
});

describe("a function's environment", () => {
  it("reads back as the deployment that was written", () => {
    fc.assert(
      fc.property(deployment, (given) => {
        // JSON has one zero; so has the text of a number.
        expect(fromEnvironment(toEnvironment(given))).toEqual(JSON.parse(JSON.stringify(given)));
      }),
    );
  });

  it.each(Object.keys(ENVIRONMENT))("is refused without %s", (variable) => {
    const says = `Expected the environment variable \`${variable}\`, got none`;
    expect(() => fromEnvironment({ ...ENVIRONMENT, [variable]: undefined })).toThrow(says);
    expect(() => fromEnvironment({ ...ENVIRONMENT, [variable]: "" })).toThrow(says);
  });

  it("is refused where a number is none, or breaks a rule of the settings", () => {
    const withCount = (count: string) => () =>
      fromEnvironment({ ...ENVIRONMENT, BACKLOG_PARTITIONS: count });
    expect(withCount("many")).toThrow("`partitions`");
    expect(withCount("0")).toThrow("`partitions`");
  });
});
