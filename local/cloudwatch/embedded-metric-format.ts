import * as v from "valibot";
import type { MetricDatum } from "./metric-store.ts";
import { statisticsOfValues } from "./statistic-set.ts";

/** CloudWatch's limits: bytes of a log event, values of one metric, dimensions of one set. */
const LINE_MAX = 1024 * 1024;
const VALUES_MAX = 100;
const DIMENSIONS_MAX = 30;

/** CloudWatch takes values from -2^360 to 2^360. */
const VALUE_MAX = 2 ** 360;

const valueSchema = v.pipe(v.number(), v.minValue(-VALUE_MAX), v.maxValue(VALUE_MAX));
const valuesSchema = v.union([
  v.pipe(
    valueSchema,
    v.transform((value) => [value]),
  ),
  v.pipe(v.array(valueSchema), v.minLength(1), v.maxLength(VALUES_MAX)),
]);

const nameSchema = v.pipe(v.string(), v.minLength(1));

const metadataSchema = v.object({
  Timestamp: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  CloudWatchMetrics: v.array(
    v.object({
      Namespace: nameSchema,
      Dimensions: v.optional(v.array(v.pipe(v.array(v.string()), v.maxLength(DIMENSIONS_MAX))), [
        [],
      ]),
      Metrics: v.array(
        v.object({
          Name: nameSchema,
          Unit: v.optional(v.string()),
          StorageResolution: v.optional(v.number()),
        }),
      ),
    }),
  ),
});

type Directive = v.InferOutput<typeof metadataSchema>["CloudWatchMetrics"][number];
type Fields = Readonly<Record<string, unknown>>;

/**
 * The metrics in one log line: one datum per metric and set of dimensions. A line that is not JSON
 * in embedded metric format gives none; a metric whose value, or a set of which a dimension's value,
 * is missing from the line or of another type is left out. Never throws, whatever the line holds.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function metricsOfLine(line: string): readonly MetricDatum[] {
  const fields = objectOf(line);
  const metadata = v.safeParse(metadataSchema, ownValue(fields, "_aws"));
  if (!metadata.success) return [];
  const { Timestamp, CloudWatchMetrics } = metadata.output;
  return CloudWatchMetrics.flatMap((directive) => metricsOf(directive, fields, Timestamp));
}

function objectOf(line: string): Fields {
  // The cheap test first: nearly every line of a function's output is no metric.
  if (line.length > LINE_MAX || !line.includes('"_aws"')) return {};
  try {
    return Object(JSON.parse(line)) as Fields;
  } catch {
    return {};
  }
}

function ownValue(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function metricsOf(
  { Namespace, Dimensions, Metrics }: Directive,
  fields: Fields,
  timestampMs: number,
): readonly MetricDatum[] {
  return Dimensions.flatMap((names) => {
    const dimensions = dimensionsOf(names, fields);
    if (dimensions === undefined) return [];
    return Metrics.flatMap(({ Name, Unit, StorageResolution }): readonly MetricDatum[] => {
      const values = v.safeParse(valuesSchema, ownValue(fields, Name));
      if (!values.success) return [];
      const identity = { namespace: Namespace, metricName: Name, dimensions };
      const value = statisticsOfValues(values.output);
      const resolution = StorageResolution === 1 ? "second" : "minute";
      return [{ ...identity, timestampMs, value, resolution, ...(Unit && { unit: Unit }) }];
    });
  });
}

function dimensionsOf(
  names: readonly string[],
  fields: Fields,
): Readonly<Record<string, string>> | undefined {
  const pairs = names.map((name) => [name, ownValue(fields, name)] as const);
  const complete = pairs.every(([, value]) => typeof value === "string" && value !== "");
  return complete ? (Object.fromEntries(pairs) as Record<string, string>) : undefined;
}
