import { randomUUID } from "node:crypto";

const SEPARATOR = "\0";

/** A handle for one receive of one message; no two are alike. */
export function newReceiptHandle(queueName: string, messageId: string): string {
  return Buffer.from([queueName, messageId, randomUUID()].join(SEPARATOR)).toString("base64");
}

/** Id of the message that the handle was for; undefined if it is no handle of that queue. */
export function messageIdOf(receiptHandle: string, queueName: string): string | undefined {
  const [name, messageId, nonce] = Buffer.from(receiptHandle, "base64").toString().split(SEPARATOR);
  return name === queueName && nonce !== undefined ? messageId : undefined;
}
