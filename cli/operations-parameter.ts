import * as v from "valibot";
import { MAX_PARTITIONS } from "../lambdas/core/limits.ts";

/** What operators' tools must know of a backlog: the value of `/backlogorder/<name>/operations`. */
export type OperationsParameter = v.InferOutput<typeof PARAMETER>;

const TEXT = v.pipe(v.string(), v.minLength(1));
const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const PARAMETER = v.object({
  sourceUrl: TEXT,
  letterQueueUrl: TEXT,
  ledgerTable: TEXT,
  consumer: TEXT,
  replay: TEXT,
  /** Absent in a stack of an earlier version. */
  payload: v.optional(TEXT),
  snapshot: TEXT,
  mapping: TEXT,
  policy: v.object({ warnAgeMs: v.number(), pageAgeMs: v.number(), maxCount: v.number() }),
  partitions: v.pipe(COUNT, v.maxValue(MAX_PARTITIONS)),
  maxAttempts: COUNT,
  /** Stacks of earlier versions have neither this nor `replayLimit`. */
  backoff: v.optional(v.object({ baseSeconds: v.number(), capSeconds: v.number() })),
  replayLimit: v.optional(COUNT),
  pageAlarm: TEXT,
  warnAlarm: TEXT,
});

/**
 * Reads the parameter's JSON text. Fields that it does not know are left alone.
 * @throws RangeError that names the fields which are missing or wrong.
 */
export function readOperationsParameter(json: string): OperationsParameter {
  const parsed = v.safeParse(PARAMETER, parsedJson(json));
  if (parsed.success) return parsed.output;
  const faults = parsed.issues.map((issue) => {
    const field = v.getDotPath(issue) ?? "the parameter";
    return `\`${field}\` (${issue.message})`;
  });
  throw new RangeError(`Expected the operators' SSM parameter to hold ${faults.join("; ")}`);
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
