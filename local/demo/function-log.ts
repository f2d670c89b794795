import { createWriteStream, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { FunctionLine } from "../lambda/server.ts";

/** Everything that the functions of the latest run wrote, a line each behind the function's name. */
export const FUNCTION_LOG = resolve(import.meta.dirname, "../../.local/functions.log");

export type FunctionLog = {
  write(line: FunctionLine): void;
  close(): Promise<void>;
};

/** Begins the log anew. */
export function openFunctionLog(path: string = FUNCTION_LOG): FunctionLog {
  mkdirSync(dirname(path), { recursive: true });
  const stream = createWriteStream(path);
  return {
    write: ({ functionName, text }) => void stream.write(`${functionName} ${text}\n`),
    close: () => new Promise((done) => stream.end(done)),
  };
}
