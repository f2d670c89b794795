import { describe, expect, it } from "vitest";
import {
  type MissingDataTreatment,
  stateOfDatapoints,
} from "../../../local/cloudwatch/missing-data.ts";

/** `0` is good, `X` breaches, `-` is missing; oldest first, as in AWS's documentation. */
function datapoints(row: string) {
  const breachOf = { "0": false, X: true, "-": undefined };
  return row.split(" ").map((mark) => breachOf[mark as keyof typeof breachOf]);
}

const TREATMENTS = ["missing", "ignore", "breaching", "notBreaching"] as const;
const KEPT = undefined;

type Row = readonly (string | undefined)[];

function expectRow(
  [row = "", ...states]: Row,
  datapointsToAlarm: number,
  evaluationPeriods: number,
) {
  const found = TREATMENTS.map((treatMissingData: MissingDataTreatment) =>
    stateOfDatapoints(datapoints(row), { datapointsToAlarm, evaluationPeriods, treatMissingData }),
  );
  expect(found).toEqual(states);
}

describe("the state of datapoints, by treatment: missing, ignore, breaching, notBreaching", () => {
  it.each<Row>([
    ["0 - X - X", "OK", "OK", "OK", "OK"],
    ["0 - - - -", "OK", "OK", "OK", "OK"],
    ["- - - - -", "INSUFFICIENT_DATA", KEPT, "ALARM", "OK"],
    ["0 X X - X", "ALARM", "ALARM", "ALARM", "ALARM"],
    ["- - X - -", "ALARM", KEPT, "ALARM", "OK"],
    ["- - - - X", "INSUFFICIENT_DATA", KEPT, "ALARM", "OK"],
    ["X - - - -", "ALARM", KEPT, "ALARM", "OK"],
  ])("follows AWS's table for 3 of 3 at %s", (...row) => {
    expectRow(row, 3, 3);
  });

  it.each<Row>([
    ["0 - X - X", "ALARM", "ALARM", "ALARM", "ALARM"],
    ["0 0 X 0 X", "ALARM", "ALARM", "ALARM", "ALARM"],
    ["0 - X - -", "OK", "OK", "ALARM", "OK"],
    ["- - - - 0", "OK", "OK", "ALARM", "OK"],
    ["- - - X -", "ALARM", KEPT, "ALARM", "OK"],
    ["- - - - X", "INSUFFICIENT_DATA", KEPT, "ALARM", "OK"],
  ])("follows AWS's table for 2 of 3 at %s", (...row) => {
    expectRow(row, 2, 3);
  });

  it.each<Row>([
    ["X X 0 0 0", "OK", "OK", "OK", "OK"],
    ["0 0 0 X X", "OK", "OK", "OK", "OK"],
    ["0 0 X X X", "ALARM", "ALARM", "ALARM", "ALARM"],
    ["X X X 0 X", "OK", "OK", "OK", "OK"],
  ])("lets only the newest 3 decide where none is missing: %s", (...row) => {
    expectRow(row, 3, 3);
  });

  it.each<Row>([
    ["0 0 X", "ALARM", "ALARM", "ALARM", "ALARM"],
    ["X 0 0", "OK", "OK", "OK", "OK"],
    ["X - -", "ALARM", "ALARM", "ALARM", "ALARM"],
    ["0 - -", "OK", "OK", "OK", "OK"],
    ["- - -", "INSUFFICIENT_DATA", KEPT, "ALARM", "OK"],
  ])("lets the newest one decide for 1 of 1: %s", (...row) => {
    expectRow(row, 1, 1);
  });

  it("keeps 1 of 3 in ALARM for three good minutes after a breach", () => {
    const rules = {
      datapointsToAlarm: 1,
      evaluationPeriods: 3,
      treatMissingData: "missing",
    } as const;
    const states = ["0 0 0 0 X", "0 0 0 X 0", "0 0 X 0 0", "0 X 0 0 0"].map((row) =>
      stateOfDatapoints(datapoints(row), rules),
    );
    expect(states).toEqual(["ALARM", "ALARM", "ALARM", "OK"]);
  });
});
