import type { IncomingMessage } from "node:http";
import type { Operation } from "../http/aws-json.ts";
import { attributeOperations } from "./attribute-operations.ts";
import { deadLetterOperations } from "./dead-letter-operations.ts";
import type { Engine } from "./engine.ts";
import { permissionOperations } from "./permission-operations.ts";
import { queueOperations } from "./queue-operations.ts";
import { receiptOperations } from "./receipt-operations.ts";
import { receiveOperation } from "./receive-operation.ts";
import { sendOperations } from "./send-operations.ts";
import { tagOperations } from "./tag-operations.ts";

/**
 * All operations by their names on the wire. Before each, what time has ended by now is ended;
 * `saved` runs after each, before its answer is given.
 */
export function sqsOperations(
  engine: Engine,
  saved: () => void,
): Readonly<Record<string, Operation>> {
  const operations = {
    ...queueOperations(engine),
    ...attributeOperations(engine),
    ...sendOperations(engine),
    ...receiveOperation(engine),
    ...receiptOperations(engine),
    ...deadLetterOperations(engine),
    ...tagOperations(engine),
    ...permissionOperations(engine),
  };
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      async (input: unknown, request: IncomingMessage): Promise<unknown> => {
        engine.runtime.deadlines.runDue();
        try {
          return await operation(input, request);
        } finally {
          saved();
        }
      },
    ]),
  );
}
