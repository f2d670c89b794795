import { serveJson } from "../http/aws-json.ts";
import type { ListenOptions, LocalServer } from "../http/server.ts";
import { createEngine } from "./engine.ts";
import { type Journal, openJournal } from "./journal.ts";
import { sqsOperations } from "./operations.ts";
import { type QueueSample, sampleOf } from "./queue-sample.ts";

export type SqsOptions = ListenOptions & {
  /** @default "us-east-1" */
  readonly region?: string;
  /** @default "000000000000" */
  readonly accountId?: string;
  /** Path of a file that keeps the queues over a restart, a kill included. @default memory only */
  readonly journal?: string;
  /** Epoch milliseconds. What is due by a clock in hand happens with the next request or sample.
   *  @default Date.now */
  readonly now?: () => number;
};

/** The embedded SQS: the SDK's operations by HTTP, and what CloudWatch is told without. */
export type Sqs = LocalServer & {
  /** All queues as they are now. */
  sample(): readonly QueueSample[];
};

/**
 * Starts an embedded SQS on loopback.
 * @throws Error if the port is taken or the journal cannot be read
 */
export async function startSqs(options: SqsOptions = {}): Promise<Sqs> {
  const { region = "us-east-1", accountId = "000000000000" } = options;
  let url = "";
  let journal: Journal | undefined;
  const engine = createEngine({
    region,
    accountId,
    urlOf: (queueName) => `${url}/${accountId}/${queueName}`,
    record: (event) => journal?.record(event),
    ...(options.now && { now: options.now }),
  });
  if (options.journal !== undefined) journal = openJournal(options.journal, engine);
  const operations = sqsOperations(engine, () => journal?.save());
  const end = (): void => {
    engine.runtime.deadlines.close();
    journal?.close();
    journal = undefined;
  };
  const server = await serveJson({ version: "1.0", operations }, options).catch((error) => {
    end();
    throw error;
  });
  ({ url } = server);
  return {
    ...server,
    sample(): readonly QueueSample[] {
      engine.runtime.deadlines.runDue();
      return [...engine.queues.values()].map(sampleOf);
    },
    async close(): Promise<void> {
      await server.close();
      end();
    },
  };
}
