import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Far longer than an installation takes where there is a way to PyPI. */
const TIMEOUT_MS = 180_000;

/**
 * Installs a package from PyPI into a virtual environment of its own, which is made if it does not
 * exist. A machine without Python or without a way to PyPI gets an answer and no error.
 * @param requirement as pip takes it; without a version it is the newest one.
 * @returns what stood in the way; undefined = installed.
 */
export function installInto(folder: string, requirement: string): string | undefined {
  const pip = join(folder, "bin", "pip");
  if (!existsSync(pip)) {
    if (!succeeds("python3", ["--version"])) return "there is no python3 on this machine";
    if (!succeeds("python3", ["-m", "venv", folder])) return "python3 has no module venv";
  }
  const words = ["install", "--quiet", "--upgrade", "--retries", "1", "--timeout", "15"];
  return succeeds(pip, [...words, requirement]) ? undefined : `PyPI gives no ${requirement}`;
}

/** Of a package in a virtual environment; undefined = it is not installed there. */
export function installedVersion(folder: string, name: string): string | undefined {
  const program = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))";
  const { status, stdout } = spawnSync(join(folder, "bin", "python"), ["-c", program, name], {
    ...{ encoding: "utf8", timeout: TIMEOUT_MS },
  });
  return status === 0 ? stdout.trim() : undefined;
}

function succeeds(command: string, words: readonly string[]): boolean {
  return spawnSync(command, words, { stdio: "ignore", timeout: TIMEOUT_MS }).status === 0;
}
