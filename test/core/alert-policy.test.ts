import { describe, expect, it } from "vitest";
import {
  type AlertLevel,
  type AlertPolicy,
  alertPolicyOf,
  type BacklogSize,
  evaluate,
} from "../../lambdas/core/alert-policy.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import { vectors } from "./vectors.ts";

type Row = AlertPolicy & BacklogSize & { readonly level: AlertLevel };

describe("the alert policy", () => {
  it("gives the reference's level for every row of the vectors", () => {
    const { rows } = vectors<{ readonly rows: readonly Row[] }>("alert.json");
    expect(new Set(rows.map(({ level }) => level))).toEqual(new Set(["ok", "warn", "page"]));
    for (const row of rows) expect(evaluate(row, row), JSON.stringify(row)).toBe(row.level);
  });

  it("is that of the settings, in milliseconds", () => {
    expect(alertPolicyOf(settingsOf())).toEqual({
      warnAgeMs: 120_000,
      pageAgeMs: 600_000,
      maxCount: 10_000,
    });
  });
});
