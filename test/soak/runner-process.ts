import { appendFileSync } from "node:fs";
import { startCloud } from "../../local/cloud.ts";
import { MINUTE_DIVISOR } from "../../local/demo/demo-settings.ts";
import { readAssembly } from "../../local/deploy/assembly.ts";
import { deploy } from "../../local/deploy/deploy.ts";
import { ENVIRONMENTS_MAX } from "./soak-settings.ts";

// node test/soak/runner-process.ts <folder> <assembly> <log> <queues' port> <tables' port>: all that
// is neither a queue nor a table, and the stack, which a second start in the folder finds again.

const [directory = "", assembly = "", log = "", queues = "", tables = ""] = process.argv.slice(2);

const cloud = await startCloud({
  directory,
  divisor: MINUTE_DIVISOR,
  maximumConcurrency: ENVIRONMENTS_MAX,
  services: {
    sqs: { ...serviceAt(queues), sample: () => [] },
    dynamodb: { ...serviceAt(tables), calls: () => ({}) },
  },
  onLine: ({ functionName, text }) => appendFileSync(log, `${functionName} ${text}\n`),
});
const { outputs } = await deploy({ ...readAssembly(assembly), cloud });
process.on("disconnect", () => process.exit());
process.on("message", () => {
  process.send?.({ kind: "environments", environments: cloud.lambda.environments() });
});
process.send?.({ kind: "ready", outputs, environment: cloud.environment });

function serviceAt(port: string) {
  return { url: `http://127.0.0.1:${port}`, port: Number(port), close: async () => undefined };
}
