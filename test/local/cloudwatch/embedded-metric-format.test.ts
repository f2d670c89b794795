import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { metricsOfLine } from "../../../local/cloudwatch/embedded-metric-format.ts";
import { createMetricStore } from "../../../local/cloudwatch/metric-store.ts";

const TIMESTAMP_MS = 1_800_000_000_000;

function lineOf(fields: object, directive: object = {}) {
  const Metrics = [{ Name: "Count", Unit: "Count" }];
  const CloudWatchMetrics = [
    { Namespace: "Backlogorder", Dimensions: [["Backlog"]], Metrics, ...directive },
  ];
  const metadata = { Timestamp: TIMESTAMP_MS, CloudWatchMetrics };
  return JSON.stringify({ _aws: metadata, Backlog: "wallet", Count: 7, ...fields });
}

describe("a line in embedded metric format", () => {
  it("gives its metric with namespace, dimensions, unit and timestamp", () => {
    const [datum, ...more] = metricsOfLine(lineOf({ level: "INFO", message: "snapshot" }));
    expect(more).toEqual([]);
    expect(datum).toMatchObject({
      namespace: "Backlogorder",
      metricName: "Count",
      dimensions: { Backlog: "wallet" },
      timestampMs: TIMESTAMP_MS,
      unit: "Count",
      resolution: "minute",
      value: { sum: 7, count: 1, minimum: 7, maximum: 7 },
    });
  });

  it("takes an array of values as that many samples", () => {
    const [datum] = metricsOfLine(lineOf({ Count: [5, 1, 3] }));
    expect(datum?.value).toMatchObject({ sum: 9, count: 3, minimum: 1, maximum: 5 });
  });

  it("gives a metric for each set of dimensions, the empty set included", () => {
    const Dimensions = [["Backlog"], [], ["Backlog", "service"]];
    const found = metricsOfLine(lineOf({ service: "snapshot" }, { Dimensions }));
    expect(found.map(({ dimensions }) => dimensions)).toEqual([
      { Backlog: "wallet" },
      {},
      { Backlog: "wallet", service: "snapshot" },
    ]);
  });

  it("knows high resolution", () => {
    const line = lineOf({}, { Metrics: [{ Name: "Count", StorageResolution: 1 }] });
    expect(metricsOfLine(line)[0]?.resolution).toBe("second");
  });

  it("leaves out what is missing or of another type and keeps the rest", () => {
    const Metrics = ["Count", "Absent", "Text", "None", "Nothing", "Huge"].map((Name) => ({
      Name,
    }));
    const fields = { Text: "7", None: [], Nothing: null, Huge: 1e300, service: 5 };
    const line = lineOf(fields, { Metrics, Dimensions: [["Backlog"], ["service"], ["absent"]] });
    expect(metricsOfLine(line).map(({ metricName }) => metricName)).toEqual(["Count"]);
  });

  it.each([
    ["an empty line", ""],
    ["plain text", 'INFO "_aws" is not JSON'],
    ["JSON without _aws", '{"Count":7}'],
    ["_aws deeper inside", JSON.stringify({ message: JSON.parse(lineOf({})) })],
    ["_aws of another shape", '{"_aws":[1]}'],
    ["a number", "7"],
    ["null with the word", '"_aws"'],
    ["a prefix before the JSON", `2026-08-01T00:00:00Z INFO ${lineOf({})}`],
    ["half a line", lineOf({}).slice(0, -1)],
    ["a timestamp in text", lineOf({}).replace(String(TIMESTAMP_MS), '"now"')],
    ["a timestamp that overflows", lineOf({}).replace(String(TIMESTAMP_MS), "1e999")],
    ["a value that overflows", lineOf({}).replace(":7", ":1e999")],
    ["too many values", lineOf({ Count: Array(101).fill(1) })],
    ["a line over 1 MiB", lineOf({ message: "x".repeat(1024 * 1024) })],
    ["a name that only objects inherit", lineOf({}, { Metrics: [{ Name: "constructor" }] })],
    ["an inherited dimension", lineOf({}, { Dimensions: [["__proto__"]] })],
  ])("gives nothing for %s", (_, line) => {
    expect(metricsOfLine(line)).toEqual([]);
  });

  it("never throws, and gives only what a store can take, whatever the line holds", () => {
    const anything = fc.oneof(fc.jsonValue(), fc.constantFrom(7, [1], "x", null, {}, [[]], [{}]));
    const metadata = fc.record(
      {
        Timestamp: fc.oneof(fc.integer(), anything),
        CloudWatchMetrics: fc.oneof(
          anything,
          fc.array(
            fc.record(
              {
                Namespace: fc.oneof(fc.string(), anything),
                Dimensions: fc.oneof(fc.array(fc.array(fc.constantFrom("a", "b"))), anything),
                Metrics: fc.oneof(
                  anything,
                  fc.array(fc.record({ Name: fc.oneof(fc.constantFrom("a", "b"), anything) })),
                ),
              },
              { requiredKeys: [] },
            ),
          ),
        ),
      },
      { requiredKeys: [] },
    );
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ _aws: fc.oneof(metadata, anything), a: anything, b: anything })
        .map((fields) => JSON.stringify(fields)),
    );
    fc.assert(
      fc.property(line, (text) => {
        const store = createMetricStore();
        for (const datum of metricsOfLine(text)) {
          store.record(datum);
          expect(Number.isSafeInteger(datum.timestampMs)).toBe(true);
          for (const value of Object.values(datum.dimensions)) expect(value).toBeTypeOf("string");
        }
      }),
      { numRuns: 2000 },
    );
  });
});
