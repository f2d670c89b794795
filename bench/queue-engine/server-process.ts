import { startSqs } from "../../local/sqs/server.ts";

// The embedded SQS in a process of its own, so that the client's work is not measured with it. Told
// anything, it answers with the seconds of processor time that it has used.

const { url } = await startSqs();
process.on("disconnect", () => process.exit());
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6 });
});
process.send?.({ url });
