import {
  type AttributeValue,
  QueryCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { type LambdaClient, UpdateEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import type { ConsumerSwitch, Pause } from "../core/acts/consumer-operations.ts";
import type { Clock } from "../core/clock.ts";
import { waitMs } from "../core/replay/replay-pace.ts";
import { updateUnlessRefused } from "./ledger/conditional-update.ts";
import { number, text } from "./ledger/ledger-item.ts";
import type { Key } from "./ledger/ledger-keys.ts";
import type { LedgerTable } from "./ledger/ledger-table.ts";

export type LambdaConsumerSwitchOptions = {
  readonly lambda: LambdaClient;
  /** UUID of the consumer's event source mapping. */
  readonly mapping: string;
  readonly ledger: LedgerTable;
  readonly clock: Clock;
};

/** A mapping that is being turned takes some seconds, and refuses changes meanwhile.
 *  https://docs.aws.amazon.com/lambda/latest/api/API_UpdateEventSourceMapping.html */
const TRIES = 8;
const TRY_AGAIN_MS = 5000;

/** The consumer's mapping on Lambda, and its note in the ledger. */
export class LambdaConsumerSwitch implements ConsumerSwitch {
  readonly #options: LambdaConsumerSwitchOptions;

  constructor(options: LambdaConsumerSwitchOptions) {
    this.#options = options;
  }

  async turn(on: boolean): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#update(on);
      } catch (error) {
        if (!isBusy(error) || attempt === TRIES) throw error;
        await waitMs(this.#options.clock, TRY_AGAIN_MS);
      }
    }
  }

  async #update(on: boolean): Promise<string> {
    const { lambda, mapping: UUID } = this.#options;
    const command = new UpdateEventSourceMappingCommand({ UUID, Enabled: on });
    const { State } = await lambda.send(command);
    return State ?? "unknown";
  }

  async note(pause: Pause | undefined): Promise<void> {
    const { client, table } = this.#options.ledger;
    await updateUnlessRefused(client, {
      TableName: table,
      Key: CONSUMER_NOTE,
      ...noteWrite(pause),
    });
  }
}

/** Why the consumer was paused; undefined where nobody paused it, or it was resumed. Whether it is
 *  off is for the mapping's own state to say. @throws where DynamoDB fails. */
export async function readPause({ client, table }: LedgerTable): Promise<Pause | undefined> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk AND sk = :sk",
      ExpressionAttributeValues: { ":pk": CONSUMER_NOTE.pk, ":sk": CONSUMER_NOTE.sk },
      ConsistentRead: true,
    }),
  );
  const [item = {}] = Items;
  if (item["paused"]?.BOOL !== true) return undefined;
  return {
    pausedBy: text(item, "who"),
    why: text(item, "why") ?? "",
    ticket: text(item, "ticket"),
    at: number(item, "since") ?? 0,
  };
}

/** The item stays when the consumer goes on: the function may change items, not delete them. */
function noteWrite(
  pause: Pause | undefined,
): Pick<UpdateItemCommandInput, "UpdateExpression" | "ExpressionAttributeValues"> {
  if (pause === undefined) {
    return {
      UpdateExpression: "SET paused = :paused",
      ExpressionAttributeValues: { ":paused": { BOOL: false } },
    };
  }
  const { pausedBy, why, ticket, at } = pause;
  return {
    UpdateExpression:
      "SET paused = :paused, who = :who, why = :why, ticket = :ticket, since = :since",
    ExpressionAttributeValues: {
      ":paused": { BOOL: true },
      ":who": textOrNull(pausedBy),
      ":why": { S: why },
      ":ticket": textOrNull(ticket),
      ":since": { N: String(at) },
    },
  };
}

function textOrNull(value: string | undefined): AttributeValue {
  return value === undefined ? { NULL: true } : { S: value };
}

const CONSUMER_NOTE: Key = { pk: { S: "lock" }, sk: { S: "consumer" } };

function isBusy(error: unknown): boolean {
  return error instanceof Error && error.name === "ResourceInUseException";
}
