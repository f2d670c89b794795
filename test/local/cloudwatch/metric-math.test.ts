import { describe, expect, it } from "vitest";
import { type MathValue, seriesOf } from "../../../local/cloudwatch/math-value.ts";
import { evaluateExpression } from "../../../local/cloudwatch/metric-math.ts";

const _ = undefined;

const SERIES: Readonly<Record<string, readonly (number | undefined)[]>> = {
  m1: [30, 20, 0, 0],
  m2: [20, _, 20, _],
  m3: [_, _, _, _],
  c: [1, 1, 0, _],
  rising: [10, _, 40, 100],
  signed: [-1.5, 1.5, _, 0],
};

function evaluate(source: string): MathValue {
  return evaluateExpression(source, {
    grid: { startMs: 0, periodMs: 60_000, count: 4 },
    metricIds: Object.keys(SERIES),
    lookUp: (id) => (SERIES[id] === undefined ? undefined : seriesOf(SERIES[id])),
  });
}

describe("metric math", () => {
  it.each([
    // Rows of AWS's documentation
    ["m1 < m2", [0, 0, 1, 0]],
    ["m1 >= 30", [1, 0, 0, 0]],
    ["m1 > 15 AND m2 > 15", [1, 0, 0, 0]],
    // Arithmetic: a point that one side lacks counts as 0, one that both lack is none
    ["m1 + m2", [50, 20, 20, 0]],
    ["m2 + m3", [20, _, 20, _]],
    ["m3 + 1", [_, _, _, _]],
    ["2 * m1 - 10 / 5", [58, 38, -2, -2]],
    ["-m1", [-30, -20, 0, 0]],
    ["(m1 + 10) * 2", [80, 60, 20, 20]],
    ["m1 ^ 2 / 100", [9, 4, 0, 0]],
    ["100 / m1", [100 / 30, 5, _, _]],
    ["1e1 + .5 * m1", [25, 20, 10, 10]],
    ["10 - m1 - 5", [-25, -15, 5, 5]],
    // Comparison and logic
    ["m1 == 0", [0, 0, 1, 1]],
    ["m1 != 0 && m1 <= 20", [0, 1, 0, 0]],
    ["m1 == 30 || m2 == 20", [1, 0, 1, 0]],
    ["m1 == 30 OR m1 == 20 AND m1 == 0", [1, 0, 0, 0]],
    // IF
    ["IF(m1 > 15, 1, 0)", [1, 1, 0, 0]],
    ["IF(m1 > 15, m1)", [30, 20, _, _]],
    ["IF(c, m2, m1)", [20, 0, 0, _]],
    ["IF(c, 5, m2)", [5, 5, 20, _]],
    ["IF(c, m1, 7)", [30, 20, 7, _]],
    ["IF(MAX(m1) > 10, m2, m1)", [20, _, 20, _]],
    ["IF(MAX(m1) > 99, m1, 3)", [3, 3, 3, 3]],
    ["m1 * IF(1 > 2, 3, 4)", [120, 80, 0, 0]],
    // FILL
    ["FILL(m2, 0)", [20, 0, 20, 0]],
    ["FILL(m3, 0)", [0, 0, 0, 0]],
    ["FILL(m2, m1)", [20, 20, 20, 0]],
    ["FILL(rising, REPEAT)", [10, 10, 40, 100]],
    ["FILL(m3, REPEAT)", [_, _, _, _]],
    ["FILL(rising, LINEAR)", [10, 25, 40, 100]],
    ["FILL(m2, LINEAR)", [20, 20, 20, _]],
    ["FILL(m2, MAX(m1))", [20, 30, 20, 30]],
    // Functions of each series
    ["ABS(signed)", [1.5, 1.5, _, 0]],
    ["CEIL(signed)", [-1, 2, _, 0]],
    ["FLOOR(signed)", [-2, 1, _, 0]],
    ["DIFF(rising)", [_, _, 30, 60]],
    ["RATE(rising)", [_, _, 0.25, 1]],
    ["DIFF_TIME(rising)", [_, _, 120, 60]],
    ["RUNNING_SUM(m2)", [20, 20, 40, 40]],
    ["LOG10(m2 * 5)", [2, _, 2, _]],
    // Functions over several series
    ["MAX([m1, m2])", [30, 20, 20, 0]],
    ["MIN([m1, m2])", [20, 20, 0, 0]],
    ["SUM([m1, m2, m3])", [50, 20, 20, 0]],
    ["SUM([m2, m3])", [20, _, 20, _]],
    ["AVG([m1, m2])", [25, 10, 10, 0]],
    ["DATAPOINT_COUNT([m1, m2])", [2, 1, 2, 1]],
    ["MAX([FILL(m2, 0), FILL(m3, 0)])", [20, 0, 20, 0]],
    ["SUM([m1, m2] * 2)", [100, 40, 40, 0]],
    ["SUM(100 - [m1, m1])", [140, 160, 200, 200]],
    ['SUM(METRICS("m"))', [50, 20, 20, 0]],
    ["FIRST([m2, m1])", [20, _, 20, _]],
    ["LAST([m2, m1])", [30, 20, 0, 0]],
    // Functions that give a number
    ["m1 - MIN(m1)", [30, 20, 0, 0]],
    ["m1 / SUM(m1) * 100", [60, 40, 0, 0]],
    ["m1 + AVG(m2)", [50, 40, 20, 20]],
    ["m1 + MAX(m3)", [_, _, _, _]],
    ["m1 / PERIOD(m1)", [0.5, 20 / 60, 0, 0]],
    ["m1 * METRIC_COUNT([m1, m2])", [60, 40, 0, 0]],
    ["TIME_SERIES(7)", [7, 7, 7, 7]],
  ])("evaluates %s", (source, expected) => {
    expect(evaluate(source)).toEqual({ kind: "series", series: expected });
  });

  it("gives a number for numbers and an array for an array", () => {
    expect(evaluate("1 + 2 * 3")).toEqual({ kind: "scalar", value: 7 });
    expect(evaluate("[m1, m3]")).toEqual({ kind: "array", items: [SERIES["m1"], SERIES["m3"]] });
  });

  it.each([
    ["m9", "Expected the id of a metric or an expression, got `m9`"],
    ["max([m1])", "got `max`"],
    ["SEARCH(m1)", "got `SEARCH`"],
    ["MAX([m1, 5])", "use TIME_SERIES(5)"],
    ["MAX(5)", "Expected an array of time series, got the number 5"],
    ["[m1] + [m2]", "at most one array"],
    ["IF([m1], 1, 0)", "got an array"],
    ["IF(m1)", "Expected IF("],
    ["FILL(m1)", "Expected FILL("],
    ["FILL(5, 0)", "Expected a time series, got the number 5"],
    ["ABS(m1, m2)", "Expected one argument, got 2"],
    ["m1 +", "got `the end`"],
    ["(m1", "Expected `)`"],
    ["[m1", "Expected `]`"],
    ["m1 m2", "Expected an operator or the end"],
    ["m1 constructor m2", "Expected an operator or the end"],
    ["m1 # m2", "at `# m2`"],
    ["'m1'", "Expected a metric math token"],
    ['"m1"', "got the text"],
    ["", "got `the end`"],
    ["(".repeat(3000), "at most 2048 characters"],
  ])("refuses %s", (source, message) => {
    expect(() => evaluate(source)).toThrow(message);
  });

  it("survives the deepest nesting that the length allows", () => {
    const depth = 1000;
    expect(evaluate(`${"(".repeat(depth)}m1${")".repeat(depth)}`).kind).toBe("series");
  });
});
