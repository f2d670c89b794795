import { expect, it } from "vitest";
import { leaveOut } from "./left-out.ts";

const alarm = (Properties: Readonly<Record<string, unknown>>) => ({
  Type: "AWS::CloudWatch::Alarm",
  Properties,
});

it("leaves out what ministack cannot create and all that refers to it", () => {
  const { template, leftOut } = leaveOut({
    Resources: {
      Queue: { Type: "AWS::SQS::Queue" },
      Plain: alarm({ MetricName: "Errors" }),
      Computed: alarm({ Metrics: [] }),
      Board: {
        Type: "AWS::CloudWatch::Dashboard",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: what CloudFormation substitutes.
        Properties: { Body: { "Fn::Sub": "${Page.Arn}" } },
      },
      Page: {
        Type: "AWS::CloudWatch::CompositeAlarm",
        Properties: { Rule: { Ref: "Computed" } },
      },
      Widget: { Type: "AWS::SSM::Parameter", Properties: { Value: { Ref: "Board" } } },
    },
  });
  expect(Object.keys(template.Resources)).toEqual(["Queue", "Plain"]);
  expect(leftOut.map(({ id, why }) => `${id}: ${why}`)).toEqual([
    "Computed: it has no alarms on metric math in CloudFormation",
    "Page: it has no composite alarms in CloudFormation",
    "Board: it refers to Page",
    "Widget: it refers to Board",
  ]);
});
