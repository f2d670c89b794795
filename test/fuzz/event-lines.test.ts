import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { parseEventLine } from "../../lambdas/core/wire/ndjson.ts";
import { objectWith, oddValue } from "./hostile-objects.ts";
import { hostileJson } from "./hostile-text.ts";

// Seconds of work for a machine that is busy with other tests.
vi.setConfig({ testTimeout: 30_000 });

const RUNS = { numRuns: 1000 };

describe("a line of a file of events", () => {
  const line = objectWith(["key", "payload", "payloadBase64", "id"], oddValue).map((value) =>
    JSON.stringify(value),
  );
  const nested = hostileJson.map((text) => `{"key":"k","payload":${text}}`);

  test("is a record, blank, or refused with a reason, whatever text it is", async () => {
    const kinds = new Set<string>();
    await fc.assert(
      fc.property(fc.oneof(line, nested, hostileJson), fc.constantFrom(1, 2), (text, number) => {
        const read = parseEventLine(text, number);
        kinds.add(read.kind);
        expect(read.line).toBe(number);
        if (read.kind === "record") expect(typeof read.record.key).toBe("string");
        if (read.kind === "refused") expect(read.reason).not.toBe("");
      }),
      RUNS,
    );
    expect([...kinds].toSorted()).toEqual(["blank", "record", "refused"]);
  });

  test("refuses a payload that is nested deeper than a stack", () => {
    const deep = "[".repeat(20_000) + "]".repeat(20_000);
    expect(parseEventLine(`{"key":"k","payload":${deep}}`, 3)).toMatchObject({
      kind: "refused",
      line: 3,
      reason: expect.stringContaining("less deeply nested"),
    });
  });
});
