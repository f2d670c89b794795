import type { MetricDataQuery } from "@aws-sdk/client-cloudwatch";
import * as v from "valibot";

/** A graph of a dashboard: what to ask CloudWatch, and what else is drawn. */
export type Graph = {
  readonly title: string;
  readonly queries: readonly MetricDataQuery[];
  /** Ids of what belongs to the right axis. */
  readonly right: ReadonlySet<string>;
  readonly lines: readonly Line[];
};

/** A horizontal line. */
export type Line = { readonly label: string; readonly value: number; readonly axis: Axis };

export type Axis = "left" | "right";

const axis = v.optional(v.picklist(["left", "right"]), "left");

const options = v.object({
  id: v.optional(v.string()),
  expression: v.optional(v.string()),
  label: v.optional(v.string()),
  visible: v.optional(v.boolean(), true),
  period: v.optional(v.number(), 60),
  stat: v.optional(v.string(), "Average"),
  yAxis: axis,
});

const graphSchema = v.object({
  type: v.literal("metric"),
  properties: v.object({
    title: v.string(),
    metrics: v.array(v.array(v.union([v.string(), options]))),
    annotations: v.optional(
      v.object({
        horizontal: v.array(v.object({ label: v.string(), value: v.number(), yAxis: axis })),
      }),
      { horizontal: [] },
    ),
  }),
});

const bodySchema = v.object({
  widgets: v.array(v.union([graphSchema, v.object({ type: v.string() })])),
});

/**
 * The graphs of a dashboard's body, in their order.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 * @throws v.ValiError where it is no dashboard's body.
 */
export function graphsOf(body: unknown): readonly Graph[] {
  return v.parse(bodySchema, body).widgets.flatMap((widget) => {
    if (!("properties" in widget)) return [];
    const { title, metrics, annotations } = widget.properties;
    const rows = metrics.map(rowOf);
    return {
      title,
      queries: rows.map(({ query }) => query),
      right: new Set(rows.flatMap(({ query, isRight }) => (isRight ? [query.Id ?? ""] : []))),
      lines: annotations.horizontal.map(({ yAxis, ...line }) => ({ ...line, axis: yAxis })),
    };
  });
}

type Row = { readonly query: MetricDataQuery; readonly isRight: boolean };

function rowOf(parts: readonly (string | v.InferOutput<typeof options>)[], index: number): Row {
  const names = parts.filter((part) => typeof part === "string");
  const chosen = parts.find((part) => typeof part !== "string") ?? v.parse(options, {});
  const { id = `m${index}`, label, visible, yAxis } = chosen;
  const shared = { Id: id, ReturnData: visible, ...(label !== undefined && { Label: label }) };
  return { query: { ...shared, ...askedBy(names, chosen) }, isRight: yAxis === "right" };
}

function askedBy(
  [Namespace = "", MetricName = "", ...dimensions]: readonly string[],
  { expression, period, stat }: v.InferOutput<typeof options>,
): Partial<MetricDataQuery> {
  if (expression !== undefined) return { Expression: expression, Period: period };
  const Dimensions = dimensions.flatMap((Name, index) =>
    index % 2 === 0 ? [{ Name, Value: dimensions[index + 1] ?? "" }] : [],
  );
  return {
    MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period: period, Stat: stat },
  };
}
