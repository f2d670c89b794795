import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** A synthesized assembly on disk, in a folder of its own. */
export type Assembly = { readonly directory: string; readonly remove: () => void };

const ROOT = resolve(import.meta.dirname, "../..");

/** As in cdk.json; npm puts the project's own Node first on the path. */
const APP = "node local/demo/app.ts";

/**
 * Synthesizes the demo's app with the CDK command, as a deploy would.
 * @param handler the user's handler file; undefined = the demo's faulty wallet.
 * @throws with the command's own words where it fails.
 */
export async function synthesize(handler: string | undefined): Promise<Assembly> {
  const parent = join(ROOT, ".local");
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, "run-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  const cdk = join(
    createRequire(import.meta.url).resolve("aws-cdk/package.json"),
    "..",
    "bin",
    "cdk",
  );
  const choice = handler === undefined ? [] : ["--context", `handler=${resolve(handler)}`];
  try {
    await promisify(execFile)(
      process.execPath,
      [cdk, "synth", "--quiet", "--no-validation", "--app", APP, "--output", directory, ...choice],
      { cwd: ROOT },
    );
    return { directory, remove };
  } catch (error) {
    remove();
    const { stderr = "", message } = error as Error & { readonly stderr?: string };
    throw new Error(`The stack does not synthesize:\n${stderr.trim() || message}`, {
      cause: error,
    });
  }
}
