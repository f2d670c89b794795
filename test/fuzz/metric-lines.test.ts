import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { metricsOfLine } from "../../local/cloudwatch/embedded-metric-format.ts";
import { objectWith, oddValue } from "./hostile-objects.ts";
import { hostileJson } from "./hostile-text.ts";

// Seconds of work for a machine that is busy with other tests.
vi.setConfig({ testTimeout: 30_000 });

const RUNS = { numRuns: 1000 };

describe("a line in embedded metric format", () => {
  const directive = objectWith(
    ["Namespace", "Dimensions", "Metrics"],
    fc.oneof(
      oddValue,
      fc.constant([["name"]]),
      fc.array(objectWith(["Name", "Unit", "StorageResolution"], oddValue), { maxLength: 3 }),
    ),
  );
  const metadata = objectWith(
    ["Timestamp", "CloudWatchMetrics"],
    fc.oneof(oddValue, fc.array(directive, { maxLength: 3 }), fc.constant(1_700_000_000_000)),
  );
  const sane = {
    Namespace: "n",
    Dimensions: [["name"], ["__proto__"]],
    Metrics: [{ Name: "age" }, { Name: "__proto__" }, { Name: "toString" }],
  };
  const line = fc
    .tuple(
      objectWith(["age", "name"], oddValue),
      fc.oneof(
        metadata,
        oddValue,
        fc.constant({ Timestamp: 1_700_000_000_000, CloudWatchMetrics: [sane] }),
      ),
    )
    .map(([fields, _aws]) => JSON.stringify({ ...fields, _aws }));
  const nested = hostileJson.map((text) => `{"_aws":${text}}`);

  test("gives finite metrics with dimensions of text, or none, and never throws", async () => {
    let metrics = 0;
    await fc.assert(
      fc.property(fc.oneof(line, nested, hostileJson), (text) => {
        for (const datum of metricsOfLine(text)) {
          metrics += 1;
          expect(datum.namespace).not.toBe("");
          expect(Object.values(datum.dimensions).every((value) => value !== "")).toBe(true);
          expect(Number.isFinite(datum.timestampMs)).toBe(true);
          expect(JSON.stringify(datum.value)).not.toContain("null");
        }
      }),
      RUNS,
    );
    expect(metrics).toBeGreaterThan(0);
  });
});
