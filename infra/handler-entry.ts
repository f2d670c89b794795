import { statSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Absolute path of the game's handler. A relative one counts from the folder in which the app runs.
 * @throws RangeError when there is no such file.
 */
export function handlerEntry(entry: string): string {
  const path = resolve(entry);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new RangeError(
      `Expected \`handler\` to name an existing file, got \`${entry}\`, which would be ${path}. Give the path of the file that exports \`handle\`, absolute or relative to ${process.cwd()}`,
    );
  }
  return path;
}
