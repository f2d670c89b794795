import { deepEqual, equal, match, ok } from "node:assert/strict";
import { GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { PARTITIONS_LOCK, recordKey } from "../../lambdas/aws/ledger/ledger-keys.ts";
import { listOpenRecords } from "../../lambdas/aws/ledger/open-records.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { partitionOf } from "../../lambdas/core/partition.ts";
import type { OutgoingRecord } from "../../lambdas/core/wire/outgoing.ts";
import { walletApplications } from "../../local/demo/applications.ts";
import { invokeReplay } from "../../local/demo/invoke-replay.ts";
import type { DeployedGame } from "./deployed-game.ts";
import { PARTITIONS } from "./deployment.ts";
import { type Leg, untilEqual } from "./leg.ts";

const PLAYERS = ["ada", "bo", "cy", "di", "eve"];
const EVENTS_EACH = 6;
/** Ada's third event cannot be applied until the catalogue has the item, Bo's never. */
const UNPRICED = "ada-2";
const UNREADABLE = "bo-2";

const RECORDS: readonly (OutgoingRecord & { readonly id: string })[] = Array.from(
  { length: EVENTS_EACH },
  (_, n) => PLAYERS.map((key) => ({ id: `${key}-${n}`, key, payload: payloadOf(`${key}-${n}`) })),
).flat();

const SOUND = RECORDS.map(({ id }) => id).filter((id) => id !== UNPRICED && id !== UNREADABLE);

/** The way of records through the stack: published, drained, isolated, mended and replayed. */
export const JOURNEY: readonly Leg[] = [
  {
    title: "the custom resource locks the partition count in the ledger",
    async ask({ dynamo, ledgerTable }) {
      const asked = new GetItemCommand({ TableName: ledgerTable, Key: PARTITIONS_LOCK });
      equal((await dynamo.send(asked)).Item?.["partitions"]?.N, String(PARTITIONS));
    },
  },
  {
    title: "the publisher sends each record and learns its offset",
    async ask({ publisher }) {
      const { accepted } = await publisher.publish(RECORDS);
      equal(accepted.length, RECORDS.length);
      for (const { offset } of accepted) match(offset, /^\d{1,39}$/);
    },
  },
  {
    title: "the consumer empties the queue",
    async ask({ sqs, sourceUrl }) {
      await untilEqual(async () => {
        const { visible, inFlight } = await readQueueSize(sqs, sourceUrl);
        return visible + inFlight;
      }, 0);
    },
  },
  {
    title: "the consumer applies each sound event once",
    async ask({ dynamo, walletTable }) {
      const found = await walletApplications(dynamo, walletTable);
      const times = Object.fromEntries(
        [...found].map(([id, application]) => [id, application.times]),
      );
      deepEqual(times, Object.fromEntries(SOUND.map((id) => [id, 1])));
    },
  },
  {
    title: "the consumer applies each player's events in the order published",
    async ask({ dynamo, walletTable }) {
      const found = await walletApplications(dynamo, walletTable);
      for (const player of PLAYERS) {
        const ids = SOUND.filter((id) => id.startsWith(`${player}-`));
        const applied = ids.filter((id) => found.has(id));
        const byTime = applied.toSorted(
          (left, right) => (found.get(left)?.firstAtMs ?? 0) - (found.get(right)?.firstAtMs ?? 0),
        );
        deepEqual(byTime, ids);
      }
    },
  },
  {
    title: "the ledger knows each record by its partition and by the offset that SQS gave it",
    async ask({ dynamo, ledgerTable }) {
      const offsets = new Map<number, bigint>();
      for (const { id, key } of RECORDS) {
        const asked = new GetItemCommand({ TableName: ledgerTable, Key: recordKey(id) });
        const { offset, partition } = (await dynamo.send(asked)).Item ?? {};
        const expected = partitionOf(key, PARTITIONS);
        equal(partition?.N, String(expected));
        match(offset?.S ?? "none", /^\d{20}$/);
        const reached = BigInt(offset?.S ?? 0);
        ok(reached > (offsets.get(expected) ?? 0n), `${id} is not behind those before it`);
        offsets.set(expected, reached);
      }
    },
  },
  {
    title:
      "the ledger lists an event without a price after three attempts, an unreadable one after one",
    async ask(game) {
      const letters = await lettersOf(game);
      deepEqual(letters, { [UNPRICED]: 3, [UNREADABLE]: 1 });
    },
  },
  {
    title: "the dead-letter queue holds both",
    ask: ({ sqs, letterQueueUrl }) =>
      untilEqual(async () => (await readQueueSize(sqs, letterQueueUrl)).visible, 2),
  },
  {
    title: "a dry run names both letters and changes nothing",
    async ask(game) {
      const { selected, replayed } = await invokeReplay(game, { dryRun: true });
      equal(replayed, 0);
      deepEqual(selected?.letters.map(({ id }) => id).toSorted(), [UNPRICED, UNREADABLE]);
      equal(Object.keys(await lettersOf(game)).length, 2);
    },
  },
  {
    title: "a replay applies the letter whose cause is mended, and brings the other back",
    async ask(game) {
      const { dynamo, walletTable: TableName } = game;
      const Item = { pk: { S: "catalogue" }, sk: { S: "item#crown" }, price: { N: "5" } };
      await dynamo.send(new PutItemCommand({ TableName, Item }));
      const { replayed, failed, errors, pending } = await invokeReplay(game, {});
      deepEqual(
        { replayed, failed: failed.map(({ id }) => id), errors, pending },
        { replayed: 1, failed: [UNREADABLE], errors: [], pending: 0 },
      );
      equal((await walletApplications(dynamo, TableName)).get(UNPRICED)?.times, 1);
    },
  },
  {
    title: "a second replay applies nothing twice",
    async ask(game) {
      const { replayed, failed } = await invokeReplay(game, {});
      deepEqual([replayed, failed.map(({ id }) => id)], [0, [UNREADABLE]]);
      const found = await walletApplications(game.dynamo, game.walletTable);
      deepEqual(
        [...found.values()].filter(({ times }) => times !== 1),
        [],
      );
      equal(found.size, SOUND.length + 1);
    },
  },
];

function payloadOf(id: string): string {
  if (id === UNREADABLE) return "no event";
  return JSON.stringify(
    id === UNPRICED ? { type: "purchase", item: "crown" } : { type: "credit", amount: 10 },
  );
}

/** Attempts of each dead record, by its id. */
async function lettersOf({ dynamo, ledgerTable }: DeployedGame) {
  const ledger = { client: dynamo, table: ledgerTable, nowMs: Date.now };
  const letters = await listOpenRecords(ledger, { state: "dead" });
  return Object.fromEntries(letters.map(({ id, attempts }) => [id, attempts]));
}
