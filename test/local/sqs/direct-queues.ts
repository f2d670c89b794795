import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { createEngine, type Engine } from "../../../local/sqs/engine.ts";
import { sqsOperations } from "../../../local/sqs/operations.ts";

/** The engine without a socket between, for tests that move the clock or look inside. */
export type DirectQueues = {
  readonly engine: Engine;
  /** Calls an operation by its name on the wire, from a client on this socket. */
  // biome-ignore lint/suspicious/noExplicitAny: the answers of all operations
  call(operation: string, input: object, socket?: Socket): Promise<any>;
};

export function directQueues(): DirectQueues {
  const engine = createEngine({
    region: "us-east-1",
    accountId: "000000000000",
    urlOf: (queueName) => queueName,
    record: () => undefined,
  });
  const operations = sqsOperations(engine, () => undefined);
  return {
    engine,
    async call(operation, input, socket = new Socket()) {
      return operations[operation]?.(input, { socket } as IncomingMessage);
    },
  };
}
