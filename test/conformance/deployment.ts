import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { DEMO_SETTINGS } from "../../local/demo/demo-settings.ts";
import { type LeftOut, leaveOut } from "./left-out.ts";
import { commandEnvironment, type Target } from "./target.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const NAME = "conformance";
const STACK = `Backlogorder-${NAME}`;
const COMMAND_SECONDS_MAX = 120;

/** Of a command that failed: what it says at its end tells why. */
const LAST_LINES = 25;

export const PARTITIONS = 8;

/** The app's stack as the CDK's own command deployed it. */
export type Deployment = {
  readonly name: string;
  readonly stack: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly leftOut: readonly LeftOut[];
};

/** Bootstraps the account and deploys. @throws with the command's own words where it fails. */
export async function deployStack(target: Target): Promise<Deployment> {
  const { folder, leftOut } = await synthesize(target, PARTITIONS);
  await cdk(target, ["bootstrap", "--app", folder]);
  const file = join(target.scratch, "outputs.json");
  await cdk(target, [...deployWords(folder), "--outputs-file", file]);
  const outputs = JSON.parse(readFileSync(file, "utf8"))[STACK];
  return { name: NAME, stack: STACK, outputs, leftOut };
}

/** Deploys the same stack with another partition count. @throws where that is refused. */
export async function deployPartitions(target: Target, partitions: number): Promise<void> {
  const { folder } = await synthesize(target, partitions);
  await cdk(target, deployWords(folder));
}

/** Destroys the stack as it was first deployed. @throws with the command's own words. */
export async function destroyStack(target: Target): Promise<void> {
  await cdk(target, ["destroy", STACK, "--app", assemblyOf(target, PARTITIONS), "--force"]);
}

function assemblyOf({ scratch }: Target, partitions: number): string {
  return join(scratch, `assembly-${partitions}`);
}

function deployWords(folder: string): readonly string[] {
  return ["deploy", STACK, "--app", folder, "--require-approval", "never", "--progress", "events"];
}

/** The app itself, with the demo's short times. */
async function synthesize(target: Target, partitions: number) {
  const folder = assemblyOf(target, partitions);
  mkdirSync(folder, { recursive: true });
  const settings = Object.entries({ ...DEMO_SETTINGS, name: NAME, partitions });
  const context = settings.flatMap(([key, value]) => ["--context", `${key}=${value}`]);
  const words = ["synth", "--quiet", "--no-validation", "--output", folder];
  await cdk(target, [...words, ...context]);
  const file = join(folder, `${STACK}.template.json`);
  const { template, leftOut } = leaveOut(JSON.parse(readFileSync(file, "utf8")));
  writeFileSync(file, JSON.stringify(template));
  return { folder, leftOut };
}

async function cdk(target: Target, words: readonly string[]): Promise<void> {
  const command = join(
    dirname(createRequire(import.meta.url).resolve("aws-cdk/package.json")),
    "bin",
    "cdk",
  );
  try {
    await promisify(execFile)(process.execPath, [command, ...words], {
      cwd: ROOT,
      env: commandEnvironment(target),
      timeout: COMMAND_SECONDS_MAX * 1000,
      signal: target.signal,
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stderr = "", stdout = "" } = error as { readonly stderr?: string; stdout?: string };
    const lines = `${stdout}${stderr}`.trim().split("\n").slice(-LAST_LINES);
    const message = `Expected \`cdk ${words[0]}\` to succeed within ${COMMAND_SECONDS_MAX} s, got:`;
    throw new Error([message, ...lines].join("\n"), { cause: error });
  }
}
