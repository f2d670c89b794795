import { REASON_BYTES } from "./limits.ts";
import { toSqsText } from "./wire/identity.ts";

/** Facts of one record's death, carried in the letter's `deadLetter` attribute. */
export type LetterFacts = {
  /** The record's id; the MessageId where the message carries none that can be read. */
  readonly id: string;
  readonly partition: number;
  readonly offset: string | undefined;
  readonly generation: number;
  /** Calls of the handler in this generation; 0 where it was never called. */
  readonly attempts: number;
  readonly reason: string;
  readonly failedAtMs: number;
  readonly enqueuedAtMs: number;
};

const encoder = new TextEncoder();

/**
 * A reason as a letter can carry it: characters that SQS refuses are replaced, and the text is cut
 * on a code point so that its JSON form has at most 1,024 bytes. An empty text stays empty: it is a
 * failure all the same.
 */
export function letterReason(text: string): string {
  const clean = toSqsText(text);
  if (jsonBytes(clean) <= REASON_BYTES) return clean;
  const points = Array.from(clean.slice(0, REASON_BYTES));
  let bytes = jsonBytes("…");
  let kept = 0;
  for (const point of points) {
    bytes += jsonBytes(point);
    if (bytes > REASON_BYTES) break;
    kept += 1;
  }
  return `${points.slice(0, kept).join("")}…`;
}

/** What a thrown value says. Anything may be thrown, an empty text included. */
export function reasonOf(thrown: unknown): string {
  // A game may set an error's name and message to anything, or to something that throws when read.
  try {
    return thrown instanceof Error ? messageOf(thrown) : String(thrown);
  } catch {
    return "a value that cannot be shown as text";
  }
}

/** Names that add nothing to the message. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(["Error", "PoisonRecordError"]);

function messageOf(error: Error): string {
  const name = String(error.name);
  const message = String(error.message ?? "");
  if (message === "") return name;
  return PLAIN_NAMES.has(name) ? message : `${name}: ${message}`;
}

function jsonBytes(text: string): number {
  return encoder.encode(JSON.stringify(text)).length - 2;
}
