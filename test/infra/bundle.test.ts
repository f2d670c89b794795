import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Consumer } from "../../infra/consumer.ts";
import { bundleFunction } from "../../infra/function-bundle.ts";
import { LedgerTable } from "../../infra/ledger-table.ts";
import { Queues } from "../../infra/queues.ts";
import { toEnvironment } from "../../lambdas/core/environment.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";

vi.setConfig({ testTimeout: 60_000 });

const run = promisify(execFile);
const settings = settingsOf();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "a game's handler "));
});

afterEach(() => rm(folder, { recursive: true }));

test.each([
  { path: "absolute", entryOf: (file: string) => file },
  { path: "relative", entryOf: (file: string) => relative(process.cwd(), file) },
])(
  "the consumer starts with a game's own handler, named by its $path path",
  async ({ entryOf }) => {
    const file = join(folder, "handler.ts");
    await writeFile(
      file,
      'console.error("the handler of the game is loaded");\nexport const handle = async (): Promise<undefined> => undefined;\n',
    );
    const { stdout, stderr } = await startConsumer(bundleOf(entryOf(file)));
    expect(stderr).toContain("the handler of the game is loaded");
    expect(stdout).toContain('answer {"batchItemFailures":[]}');
  },
);

test("the consumer's bundle with the example's handler is below 320 kB", () => {
  expect(statSync(bundleOf("lambdas/handler.ts")).size).toBeLessThan(320_000);
});

test("a function of the package's own is bundled with the SDK, and one that is not there is refused", () => {
  bundleFunction("partition-lock", folder);
  expect(statSync(join(folder, "index.mjs")).size).toBeGreaterThan(50_000);
  expect(() => bundleFunction("lock", folder)).toThrow(/functions .*partition-lock.*, got `lock`/);
});

/** Path of the bundled consumer. */
function bundleOf(entry: string): string {
  const app = new App({ outdir: join(folder, "cdk.out") });
  const stack = new Stack(app, "Game");
  const queues = new Queues(stack, "Queues", settings);
  const ledger = new LedgerTable(stack, "Ledger");
  new Consumer(stack, "Consumer", { settings, queues, ledger, handler: { entry } });
  const { directory } = app.synth();
  const [asset] = Object.values(Template.fromStack(stack).findResources("AWS::Lambda::Function"));
  const hash = String(asset?.["Properties"].Code.S3Key).replace(".zip", "");
  return join(directory, `asset.${hash}`, "index.mjs");
}

/** Loads the bundle alone, as Lambda does, and hands it an empty batch. */
async function startConsumer(bundle: string): Promise<{ stdout: string; stderr: string }> {
  const program = `
    const { handler } = await import(${JSON.stringify(pathToFileURL(bundle).href)});
    const context = { awsRequestId: "1", getRemainingTimeInMillis: () => 60_000 };
    console.log("answer " + JSON.stringify(await handler({ Records: [] }, context)));`;
  const env = {
    AWS_REGION: "us-east-1",
    ...toEnvironment({
      settings,
      sourceUrl: "http://127.0.0.1:1/source.fifo",
      letterQueueUrl: "http://127.0.0.1:1/letters.fifo",
      ledgerTable: "ledger",
    }),
  };
  return run(process.execPath, ["--input-type=module", "--eval", program], { cwd: folder, env });
}
