import { expect, it } from "vitest";
import { alarmLine } from "../../../local/demo/alarm-line.ts";

const change = { alarmName: "page", reason: "", atMs: 0 };

it("says that an alarm rings, whom it notifies, and that it rings no more", () => {
  const actions = ["arn:aws:sns:us-east-1:000000000000:Demo-Page"];
  expect(alarmLine({ ...change, from: "OK", to: "ALARM", actions })).toBe(
    "alarm page: ALARM, notifies Demo-Page",
  );
  expect(alarmLine({ ...change, from: "ALARM", to: "OK", actions: [] })).toBe("alarm page: OK");
});

it("says nothing of an alarm whose first look finds all well", () => {
  expect(
    alarmLine({ ...change, from: "INSUFFICIENT_DATA", to: "OK", actions: [] }),
  ).toBeUndefined();
});
