import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The IAM actions that a function's code can ask for: each command and paginator of the SDK that is
 * left in its bundle once esbuild has dropped what nothing reaches.
 * @param file below `lambdas/`
 * @throws Error for a command whose action is not listed here.
 */
export async function actionsInCode(file: string, handler: string): Promise<readonly string[]> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "lambdas", file)],
    alias: { "#handler": join(ROOT, handler) },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    external: ["@aws-sdk/*"],
  });
  const [{ text } = { text: "" }] = outputFiles;
  const names = [...text.matchAll(IMPORT)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.trim().split(" ")[0] ?? ""),
  );
  return [...new Set(names.flatMap(actionsOf))].sort();
}

const IMPORT = /import\s*\{([^}]*)\}\s*from\s*"@aws-sdk\/client-[a-z]+"/g;

/** Where an action is not called as the command is, and where one command needs other rights. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  BatchGetItem: ["dynamodb:BatchGetItem"],
  ChangeMessageVisibility: ["sqs:ChangeMessageVisibility"],
  ChangeMessageVisibilityBatch: ["sqs:ChangeMessageVisibility"],
  DeleteMessage: ["sqs:DeleteMessage"],
  DeleteMessageBatch: ["sqs:DeleteMessage"],
  GetEventSourceMapping: ["lambda:GetEventSourceMapping"],
  GetItem: ["dynamodb:GetItem"],
  GetMetricData: ["cloudwatch:GetMetricData"],
  GetQueueAttributes: ["sqs:GetQueueAttributes"],
  PutItem: ["dynamodb:PutItem"],
  DeleteItem: ["dynamodb:DeleteItem"],
  Query: ["dynamodb:Query"],
  ReceiveMessage: ["sqs:ReceiveMessage"],
  Scan: ["dynamodb:Scan"],
  SendMessage: ["sqs:SendMessage"],
  SendMessageBatch: ["sqs:SendMessage"],
  // The mark is an update; what the game's effects need is the game's.
  TransactWriteItems: ["dynamodb:UpdateItem"],
  UpdateEventSourceMapping: ["lambda:UpdateEventSourceMapping"],
  UpdateItem: ["dynamodb:UpdateItem"],
};

function actionsOf(name: string): readonly string[] {
  const operation = /^(?:paginate(\w+)|(\w+)Command)$/.exec(name);
  if (operation === null) return [];
  const actions = ACTIONS[operation[1] ?? operation[2] ?? ""];
  if (actions !== undefined) return actions;
  throw new Error(
    `Expected an action for ${name}, got none. Say here which right the call needs, and grant it`,
  );
}
