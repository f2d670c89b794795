import { PublishError, type PublishedRecord } from "../../lambdas/aws/publisher/publish-error.ts";
import type { Publisher } from "../../lambdas/aws/publisher/publisher.ts";
import type { Output } from "./console-output.ts";
import type { RecordLine } from "./read-events.ts";

/** Records given to the publisher at once. */
const SLICE = 200;

/** Publishes all records in order; what the publisher refuses is said, and the rest goes on. */
export async function publishEvents(
  publisher: Pick<Publisher, "publish">,
  lines: readonly RecordLine[],
  output: Output,
  signal: AbortSignal,
): Promise<readonly PublishedRecord[]> {
  const progress = output.progress("published", lines.length);
  const published: PublishedRecord[] = [];
  try {
    for (let start = 0; start < lines.length; start += SLICE) {
      signal.throwIfAborted();
      published.push(...(await publishSlice(publisher, lines.slice(start, start + SLICE), output)));
      progress.set(published.length);
    }
    return published;
  } finally {
    progress.end();
  }
}

async function publishSlice(
  publisher: Pick<Publisher, "publish">,
  lines: readonly RecordLine[],
  output: Output,
): Promise<readonly PublishedRecord[]> {
  try {
    const { accepted } = await publisher.publish(lines.map(({ record }) => record));
    return accepted;
  } catch (error) {
    if (!(error instanceof PublishError) || error.refused.length === 0) throw error;
    for (const { index, reason } of error.refused) {
      output.line(`line ${lines[index]?.line} refused: ${reason}`);
    }
    // Nothing of the call was sent where a record broke a rule: the others are sent without it.
    const refused = new Set(error.refused.map(({ index }) => index));
    const rest = lines.filter((_, index) => !refused.has(index));
    return rest.length === 0 ? [] : publishSlice(publisher, rest, output);
  }
}
