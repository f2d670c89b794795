import { Metrics } from "@aws-lambda-powertools/metrics";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { observeDrain } from "../../../lambdas/aws/drain-observer.ts";
import { loggerOf } from "../../../lambdas/aws/observability.ts";
import type { DrainEvent } from "../../../lambdas/core/drain/drain-report.ts";
import { failureWitness } from "../../../local/demo/failure-witness.ts";

const lines: string[] = [];

beforeEach(() => {
  // The logger writes to a console of its own otherwise.
  vi.stubEnv("POWERTOOLS_DEV", "true");
  for (const level of ["info", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((line) => void lines.push(String(line)));
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  lines.length = 0;
});

function idsAfter(event: DrainEvent): readonly string[] {
  observeDrain(loggerOf("consumer", "demo"), new Metrics({ namespace: "Demo" }))(event);
  const witness = failureWitness(true);
  for (const line of lines) witness.read(line);
  return [...witness.ids];
}

const subject = { id: "e1", key: "player:1", partition: 5 };

describe("the consumer's log, where the user's handler runs,", () => {
  it("says that an attempt failed", () => {
    const failed = { attempt: 1, attemptsMax: 3, reason: "no luck", retryInSeconds: 1 };
    expect(idsAfter({ kind: "retried", ...subject, ...failed })).toEqual(["e1"]);
  });

  it("says that a record used its attempts up", () => {
    const dead = { attempts: 3, generation: 0, reason: "no outcome" };
    expect(idsAfter({ kind: "deadLettered", ...subject, ...dead })).toEqual(["e1"]);
  });

  it("is no testimony against a dead letter that was never tried", () => {
    const dead = { attempts: 0, generation: 0, reason: "misrouted" };
    expect(idsAfter({ kind: "deadLettered", ...subject, ...dead })).toEqual([]);
    expect(lines).toHaveLength(1);
  });

  it("is no testimony against a record that only waited", () => {
    expect(idsAfter({ kind: "outOfTime", ...subject })).toEqual([]);
    expect(lines).toHaveLength(1);
  });
});

it("takes the demo's handler at its own word only", () => {
  const witness = failureWitness(false);
  for (const line of ['{"demo":"killed","id":"e1"}', '{"id":"e2","attempt":1}', "END"]) {
    witness.read(line);
  }
  expect([...witness.ids]).toEqual(["e1"]);
});
