import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { type EventLine, parseEventLine } from "../../lambdas/core/wire/ndjson.ts";
import { readUntil } from "./read-until.ts";

/** A line of the input, and how many bytes of it have been read to its end. */
export type ReadLine = { readonly event: EventLine; readonly bytesRead: number };

/**
 * Reads events a line at a time, whatever the size of the input. Lines end with LF or CRLF; one that
 * is not UTF-8 or is too long is refused by its number, and the rest goes on. The last line may lack its
 * end, but not where the signal cut the input off: who knows what would have followed.
 */
export async function* readEventLines(
  input: AsyncIterable<Uint8Array>,
  interrupted: AbortSignal,
): AsyncGenerator<ReadLine> {
  let line = 0;
  let bytesRead = 0;
  for await (const { bytes, length } of splitLines(readUntil(input, interrupted), interrupted)) {
    line += 1;
    bytesRead += length;
    yield { event: eventOf(bytes, line), bytesRead };
  }
}

/** Well above any record that may be published: 1 MiB, its quotes and non-ASCII text escaped. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;

const LINE_FEED = 0x0a;

function eventOf(bytes: Buffer | undefined, line: number): EventLine {
  if (bytes === undefined) {
    const reason = `expected a line of at most ${LINE_BYTES_MAX.toLocaleString("en-US")} bytes, got a longer one`;
    return { kind: "refused", line, reason };
  }
  if (!isUtf8(bytes)) {
    const reason = "expected UTF-8; publish other bytes as `payloadBase64`";
    return { kind: "refused", line, reason };
  }
  return parseEventLine(bytes.toString("utf8").replace(/\r$/, ""), line);
}

type Line = {
  /** Undefined where the line is too long to be kept. */
  readonly bytes: Buffer | undefined;
  /** Bytes in the input, the end of the line included. */
  readonly length: number;
};

async function* splitLines(
  input: AsyncIterable<Uint8Array>,
  interrupted: AbortSignal,
): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): Line => {
    const line = { bytes: length > LINE_BYTES_MAX ? undefined : Buffer.concat(parts), length };
    parts = [];
    length = 0;
    return line;
  };
  const keep = (part: Buffer): void => {
    length += part.length;
    if (length <= LINE_BYTES_MAX) parts.push(part);
    else parts = [];
  };
  for await (const chunk of input) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = buffer.indexOf(LINE_FEED); end >= 0; end = buffer.indexOf(LINE_FEED, start)) {
      keep(buffer.subarray(start, end));
      const { bytes, length: kept } = take();
      yield { bytes, length: kept + 1 };
      start = end + 1;
    }
    if (start < buffer.length) keep(buffer.subarray(start));
  }
  if (length === 0) return;
  // Ctrl-C also ends the process that feeds a pipe, and its end may be seen before our own signal.
  await setImmediate();
  if (!interrupted.aborted) yield take();
}
