import { setTimeout as delay } from "node:timers/promises";
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { LOCAL_ACCESS } from "./local-access.ts";

/** A client with the SDK's whole stack over a transport that answers every request with an empty
 *  success, after `delayMs`. @param delayMs 0 = at once */
export function stubTransportClient(delayMs: number): DynamoDBClient {
  return new DynamoDBClient({ ...LOCAL_ACCESS, requestHandler: answeringAfter(delayMs) });
}

/** A client whose every call resolves at once, without the SDK's work on request and answer. */
export function stubClient(): DynamoDBClient {
  const client = new DynamoDBClient(LOCAL_ACCESS);
  const answer = Promise.resolve({});
  Object.assign(client, { send: () => answer });
  return client;
}

const HEADERS = { "content-type": "application/x-amz-json-1.0" };
const EMPTY = new TextEncoder().encode("{}");

function answeringAfter(delayMs: number): NonNullable<DynamoDBClientConfig["requestHandler"]> {
  return {
    async handle(): Promise<{ response: never }> {
      if (delayMs > 0) await delay(delayMs);
      // As much of a response as the SDK looks at.
      return { response: { statusCode: 200, headers: HEADERS, body: EMPTY } as never };
    },
  };
}
