import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import {
  type DynamoDb,
  type DynamoDbOptions,
  startDynamoDb,
} from "../../../local/dynamodb/server.ts";

export const TABLE = "Accounts";

export type LocalTable = {
  readonly server: DynamoDb;
  readonly client: DynamoDBClient;
  /** The number in an account's `gold`; undefined where there is no such account. */
  goldOf(account: string): Promise<number | undefined>;
  putGold(account: string, gold: number): Promise<void>;
  close(): Promise<void>;
};

/** A server with one table, whose items are accounts with gold. */
export async function startLocalTable(
  options: DynamoDbOptions = {},
  extra: Partial<CreateTableCommandInput> = {},
): Promise<LocalTable> {
  const server = await startDynamoDb(options);
  const client = clientOf(server);
  await client.send(new CreateTableCommand({ ...accountsTable(), ...extra }));
  return {
    server,
    client,
    async goldOf(account) {
      const get = new GetItemCommand({ TableName: TABLE, Key: key(account), ConsistentRead: true });
      const gold = (await client.send(get)).Item?.["gold"]?.N;
      return gold === undefined ? undefined : Number(gold);
    },
    async putGold(account, gold) {
      const Item = { ...key(account), gold: { N: String(gold) } };
      await client.send(new PutItemCommand({ TableName: TABLE, Item }));
    },
    async close() {
      client.destroy();
      await server.close();
    },
  };
}

export function clientOf(server: Pick<DynamoDb, "url">): DynamoDBClient {
  return new DynamoDBClient({ endpoint: server.url, maxAttempts: 1 });
}

export function accountsTable() {
  return {
    TableName: TABLE,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "account", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "account", KeyType: "HASH" }],
  } satisfies CreateTableCommandInput;
}

export function key(account: string) {
  return { account: { S: account } };
}
