import type { SQSRecord } from "aws-lambda";

// Largest event of a synchronous invocation, less what is around the records.
// https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
const EVENT_BYTES_MAX = 6 * 1024 * 1024 - 1024;

/** Cuts a batch into events that Lambda accepts, order kept: ten messages of 1 MiB are too many. */
export function eventParts(records: readonly SQSRecord[]): readonly (readonly SQSRecord[])[] {
  const parts: SQSRecord[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const recordBytes = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (bytes + recordBytes > EVENT_BYTES_MAX) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(record);
    bytes += recordBytes;
  }
  return parts;
}
