import { readBacklog } from "../../lambdas/aws/snapshot/backlog-snapshot.ts";
import type { BacklogLocation } from "../backlog-location.ts";
import { readInterventions } from "../consumer/consumer-state.ts";
import { readRetentionMs } from "../letters/read-letters.ts";
import { RefusedError } from "../refused-error.ts";
import { ledgerAt, type Session } from "../session.ts";
import { type Verdict, verdictOf } from "../status/verdict.ts";

/**
 * Replayed records go to the end of their partitions: behind whatever made the backlog page, or into
 * a queue that nobody drains.
 * @throws RefusedError where the consumer is paused, or the backlog is at page by the same verdict as
 *   `status`.
 */
export async function refuseUnready(session: Session, location: BacklogLocation): Promise<void> {
  const [{ consumer }, { level, cause }] = await Promise.all([
    readInterventions(session, location),
    readVerdict(session, location),
  ]);
  const { name } = location;
  if (consumer.feeding === "off") {
    throw new RefusedError({
      code: "paused",
      message: "The consumer is paused, so what is replayed now would only wait",
      remedy: `resume it first (\`npx backlogorder resume ${name} --why '...'\`), or say \`--force\``,
    });
  }
  if (level === "page") {
    throw new RefusedError({
      code: "at-page",
      message: `The backlog is at page (${cause}), and replayed records would wait behind what is wrong there`,
      remedy: `mend that first (\`npx backlogorder status ${name}\`), or say \`--force\``,
    });
  }
}

async function readVerdict(session: Session, location: BacklogLocation): Promise<Verdict> {
  const { sqs, cloudWatch } = session.clients;
  const { sourceUrl, letterQueueUrl } = location;
  const letterRetentionSeconds = (await readRetentionMs(sqs, letterQueueUrl)) / 1000;
  const backlog = await readBacklog({
    sqs,
    cloudWatch,
    ledger: ledgerAt(session, location),
    sourceUrl,
    letterQueueUrl,
    settings: { letterRetentionSeconds },
  });
  return verdictOf(backlog, location);
}
