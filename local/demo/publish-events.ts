import { PublishError, type PublishedRecord } from "../../lambdas/aws/publish-error.ts";
import type { Publisher } from "../../lambdas/aws/publisher.ts";
import type { OutgoingRecord } from "../../lambdas/core/outgoing.ts";
import type { Output } from "./console-output.ts";

/** Records given to the publisher at once. */
const SLICE = 200;

/** Publishes all records in order; what the publisher refuses is said, and the rest goes on. */
export async function publishEvents(
  publisher: Publisher,
  records: readonly OutgoingRecord[],
  output: Output,
): Promise<readonly PublishedRecord[]> {
  const progress = output.progress("published", records.length);
  const published: PublishedRecord[] = [];
  for (let start = 0; start < records.length; start += SLICE) {
    published.push(...(await publishSlice(publisher, records.slice(start, start + SLICE), output)));
    progress.set(published.length);
  }
  progress.end();
  return published;
}

async function publishSlice(
  publisher: Publisher,
  records: readonly OutgoingRecord[],
  output: Output,
): Promise<readonly PublishedRecord[]> {
  try {
    const { accepted } = await publisher.publish(records);
    return accepted;
  } catch (error) {
    if (!(error instanceof PublishError) || error.refused.length === 0) throw error;
    for (const { id, reason } of error.refused) output.line(`refused ${id}: ${reason}`);
    // Nothing of the call was sent where a record broke a rule: the others are sent without it.
    const refused = new Set(error.refused.map(({ index }) => index));
    const rest = records.filter((_, index) => !refused.has(index));
    return rest.length === 0 ? [] : publishSlice(publisher, rest, output);
  }
}
