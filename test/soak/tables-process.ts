import { startDynamoDb } from "../../local/dynamodb/server.ts";

// node test/soak/tables-process.ts <folder> <port>: the tables in a process of their own.

const [path = "", port] = process.argv.slice(2);
await startDynamoDb({ path, port: Number(port) });
process.on("disconnect", () => process.exit());
process.send?.({ kind: "ready" });
