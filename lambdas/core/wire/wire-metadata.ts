import * as v from "valibot";
import type { LetterFacts } from "../dead-letter.ts";
import type { MessageAttribute } from "../record.ts";
import { OFFSET_PATTERN } from "./offset.ts";

/** Facts that a replayed message carries in its `replay` attribute. */
export type ReplayMark = {
  /** The letter's generation plus one. */
  readonly generation: number;
  readonly offset: string | undefined;
  readonly enqueuedAtMs: number;
  readonly runId: string;
};

/** Facts in a letter's `deadLetter` attribute; the id travels in its own attribute. */
export type LetterMark = Omit<LetterFacts, "id">;

const WHOLE = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** `null` stands for an offset that is not known. */
const OFFSET = v.nullable(v.pipe(v.string(), v.regex(OFFSET_PATTERN)));

const REPLAY = v.object({
  generation: v.pipe(WHOLE, v.minValue(1)),
  offset: OFFSET,
  enqueuedAt: WHOLE,
  runId: v.string(),
});

const DEAD_LETTER = v.object({
  partition: WHOLE,
  offset: OFFSET,
  generation: WHOLE,
  attempts: WHOLE,
  reason: v.string(),
  failedAt: WHOLE,
  enqueuedAt: WHOLE,
});

/** Value of the `replay` attribute. */
export function encodeReplay(mark: ReplayMark): MessageAttribute {
  const { generation, offset, enqueuedAtMs, runId } = mark;
  return json({ generation, offset: offset ?? null, enqueuedAt: enqueuedAtMs, runId });
}

/** @returns undefined where the attribute does not hold what {@link encodeReplay} writes. */
export function decodeReplay(attribute: MessageAttribute): ReplayMark | undefined {
  const parsed = v.safeParse(REPLAY, parse(attribute));
  if (!parsed.success) return undefined;
  const { offset, enqueuedAt, ...rest } = parsed.output;
  return { ...rest, offset: offset ?? undefined, enqueuedAtMs: enqueuedAt };
}

/** Value of the `deadLetter` attribute. */
export function encodeLetter(mark: LetterMark): MessageAttribute {
  const { partition, offset, generation, attempts, reason, failedAtMs, enqueuedAtMs } = mark;
  return json({
    partition,
    offset: offset ?? null,
    generation,
    attempts,
    reason,
    failedAt: failedAtMs,
    enqueuedAt: enqueuedAtMs,
  });
}

/** @returns undefined where the attribute does not hold what {@link encodeLetter} writes. */
export function decodeLetter(attribute: MessageAttribute): LetterMark | undefined {
  const parsed = v.safeParse(DEAD_LETTER, parse(attribute));
  if (!parsed.success) return undefined;
  const { offset, failedAt, enqueuedAt, ...rest } = parsed.output;
  return {
    ...rest,
    offset: offset ?? undefined,
    failedAtMs: failedAt,
    enqueuedAtMs: enqueuedAt,
  };
}

function json(value: unknown): MessageAttribute {
  return { dataType: "String", stringValue: JSON.stringify(value) };
}

function parse(attribute: MessageAttribute): unknown {
  try {
    return JSON.parse(attribute.stringValue ?? "");
  } catch {
    return undefined;
  }
}
