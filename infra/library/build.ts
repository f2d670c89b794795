import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundleFunction, ownFunctions } from "../function-bundle.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Writes the package's code: JavaScript with types, and `functions/<name>/`, the bundle of each
 * function that holds nothing of the game's. The consumer is bundled at synth, with the game's handler.
 * @param folder what stood in it is gone.
 * @throws with the compiler's own words where it fails.
 */
export async function buildLibrary(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await Promise.all([compile(folder), bundleFunctions(join(folder, "functions"))]);
}

async function compile(folder: string): Promise<void> {
  const tsc = join(createRequire(import.meta.url).resolve("typescript/package.json"), "..");
  const options = ["--project", join(ROOT, "infra/library/tsconfig.json"), "--outDir", folder];
  try {
    await promisify(execFile)(process.execPath, [join(tsc, "bin", "tsc"), ...options]);
  } catch (error) {
    const { stdout = "", message } = error as Error & { readonly stdout?: string };
    throw new Error(`The package does not compile:\n${stdout || message}`, { cause: error });
  }
}

async function bundleFunctions(folder: string): Promise<void> {
  for (const name of ownFunctions()) bundleFunction(name, join(folder, name));
}
