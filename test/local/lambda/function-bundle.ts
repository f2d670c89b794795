import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { FunctionProps } from "../../../local/lambda/function-version.ts";

/** Writes `index.mjs` to a directory of its own, which goes with the test. */
export function bundleOf(source: string): string {
  const directory = mkdtempSync(join(tmpdir(), "bundle-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, "index.mjs"), source);
  return directory;
}

/** A function whose handler has this body, with `event` and `context` in reach. */
export function functionOf(
  body: string,
  given: Partial<Omit<FunctionProps, "codeDirectory">> = {},
): FunctionProps {
  return {
    name: "game",
    codeDirectory: bundleOf(`export async function handler(event, context) { ${body} }`),
    handler: "index.handler",
    timeoutSeconds: 5,
    memoryMb: 128,
    environment: {},
    ...given,
  };
}

/** Whether a process of this id exists. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
