import { startSqs } from "../../local/sqs/server.ts";

// node test/soak/engine-process.ts <journal> <port>: the queues in a process of their own.

const [journal = "", port] = process.argv.slice(2);
await startSqs({ journal, port: Number(port) });
process.on("disconnect", () => process.exit());
process.send?.({ kind: "ready" });
