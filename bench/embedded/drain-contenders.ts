import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type Message, SQSClient } from "@aws-sdk/client-sqs";
import { DynamoLedger } from "../../lambdas/aws/ledger/ledger.ts";
import { systemClock } from "../../lambdas/aws/system-clock.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import { startDynamoDb } from "../../local/dynamodb/server.ts";
import { startSqs } from "../../local/sqs/server.ts";
import { bundleOwnConsumer, NO_OP } from "../cold-start/bundles.ts";
import { LEDGER_TABLE } from "../contenders/backlogorder.ts";
import { createTable } from "../measure/create-table.ts";
import { LOCAL_ACCESS } from "../measure/local-access.ts";
import { type Between, drainBarely } from "./bare-loop.ts";
import { startEmbeddedConsumer } from "./embedded-consumer.ts";
import { createSourceQueue } from "./source-queue.ts";

/** Something that drains a queue, kept from round to round so that its code stays compiled. */
export type Drainer = {
  /** Milliseconds to drain one record of each key, from a backlog that lies ready. */
  drain(keys: readonly string[]): Promise<number>;
  close(): Promise<void>;
};

/** Bare loops over the queue engine. */
export async function bareDrainer(
  partitions: number,
  loops: number,
  between?: Between,
): Promise<Drainer> {
  const server = await startSqs();
  const client = new SQSClient({ endpoint: server.url, ...LOCAL_ACCESS });
  const queue = await createSourceQueue(client, { partitions, visibilityTimeoutSeconds: 600 });
  return {
    async drain(keys): Promise<number> {
      await queue.fill(keys);
      const start = performance.now();
      await drainBarely(queue, loops, between);
      await queue.emptied();
      return performance.now() - start;
    },
    close: () => server.close(),
  };
}

/** The same, and before each delete the one write a group that the ledger takes: the least that a
 *  consumer does which remembers before it answers. */
export async function rememberingDrainer(partitions: number, loops: number): Promise<Drainer> {
  const server = await startDynamoDb();
  const client = new DynamoDBClient({ endpoint: server.url, ...LOCAL_ACCESS });
  await createTable(client, LEDGER_TABLE);
  const ledger = new DynamoLedger({
    client,
    table: LEDGER_TABLE.name,
    nowMs: systemClock.nowMs,
    memorySeconds: settingsOf({}).ledgerMemorySeconds,
  });
  const between = async (messages: readonly Message[]): Promise<unknown> =>
    Promise.all(
      [...Map.groupBy(messages, (one) => one.Attributes?.MessageGroupId)].map(([group, of]) =>
        ledger.addEntry(
          Number(group),
          of.map(({ MessageId: id = "", Attributes }) => ({
            id,
            key: "",
            offset: Attributes?.SequenceNumber ?? "",
          })),
        ),
      ),
    );
  const bare = await bareDrainer(partitions, loops, between);
  return {
    drain: bare.drain,
    async close(): Promise<void> {
      await bare.close();
      await server.close();
    },
  };
}

/** The embedded run. */
export async function embeddedDrainer(partitions: number, concurrency: number): Promise<Drainer> {
  const consumer = await startEmbeddedConsumer({
    settings: { partitions },
    bundle: (folder) => bundleOwnConsumer(folder, NO_OP),
    concurrency,
  });
  return {
    async drain(keys): Promise<number> {
      await consumer.queue.fill(keys);
      const start = performance.now();
      await consumer.start();
      await consumer.queue.emptied();
      const ms = performance.now() - start;
      await consumer.pause();
      return ms;
    },
    close: consumer.close,
  };
}
