import * as v from "valibot";
import { MAX_PARTITIONS, PARTITION_HASH, WIRE_VERSION } from "../limits.ts";

/** What a publisher must know of a backlog: the value of its SSM parameter `/backlogorder/<name>`. */
export type PublishingParameter = {
  readonly queueUrl: string;
  readonly partitions: number;
};

const PARAMETER = v.object({
  wire: v.literal(WIRE_VERSION),
  queueUrl: v.pipe(
    v.string(),
    v.check((url) => url.endsWith(".fifo"), "the URL of a FIFO queue"),
  ),
  partitions: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_PARTITIONS)),
  hash: v.literal(PARTITION_HASH),
});

/**
 * Reads the parameter's JSON text. Fields that it does not know are left alone.
 * @throws RangeError where it is not what a publisher of this version can follow: a record in the
 *   wrong partition would be out of order for ever.
 */
export function readPublishingParameter(json: string): PublishingParameter {
  const parsed = v.safeParse(PARAMETER, parsedJson(json));
  if (parsed.success) {
    const { queueUrl, partitions } = parsed.output;
    return { queueUrl, partitions };
  }
  const faults = parsed.issues.map((issue) => {
    const field = v.getDotPath(issue) ?? "the parameter";
    // For a field that is not there, valibot's `expected` is the field's name.
    return issue.received === "undefined"
      ? `\`${field}\`, got none`
      : `\`${field}\` to be ${issue.expected ?? issue.message}, got ${issue.received}`;
  });
  throw new RangeError(
    `Expected in the backlog's SSM parameter ${faults.join("; ")}. Read /backlogorder/<name> again, and use the publisher of the version that was deployed`,
  );
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
