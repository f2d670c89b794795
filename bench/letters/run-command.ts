import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

export type CommandRun = {
  readonly exitCode: number;
  readonly out: string;
  readonly errors: string;
  /** By the clock, the start of the process included. */
  readonly seconds: number;
  /** Most memory that the process held, in MB. */
  readonly megabytes: number;
};

const COMMAND = fileURLToPath(new URL("../../cli/backlogorder.ts", import.meta.url));

const REPORT = new URL("./report-usage.ts", import.meta.url).href;

/** Runs `npx backlogorder <words>` as a process of its own. */
export function runCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandRun> {
  const env = { ...environment, NODE_OPTIONS: `--import=${REPORT}` };
  const startMs = performance.now();
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [COMMAND, ...words],
      { env, maxBuffer: OUTPUT_BYTES },
      (_, out, errors) => {
        const usage = /\nusage (.*)\n$/.exec(errors);
        resolve({
          exitCode: child.exitCode ?? -1,
          out,
          errors: errors.slice(0, usage?.index),
          seconds: (performance.now() - startMs) / 1000,
          megabytes: JSON.parse(usage?.[1] ?? '{"megabytes":null}').megabytes ?? Number.NaN,
        });
      },
    );
  });
}

/** 10,000 letters in the answer of a run are some megabytes. */
const OUTPUT_BYTES = 64 * 1024 * 1024;
