import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type EnvironmentMessage, type Invoke, outputEnd } from "./environment-protocol.ts";

export type OutputStream = "stdout" | "stderr";

export type ProcessOptions = {
  readonly codeDirectory: string;
  readonly handler: string;
  readonly memoryMb: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly onMessage: (message: EnvironmentMessage) => void;
  readonly onLine: (stream: OutputStream, text: string) => void;
};

export type EnvironmentProcess = {
  /** 0 if the process could not even be started. */
  readonly pid: number;
  /** Resolves to how it ended, such as `exit status 1`, once its output was read. Never rejects. */
  readonly ended: Promise<string>;
  send(invoke: Invoke): void;
  /** Resolves once all that the answered invocation wrote was handed on. */
  outputRead(): Promise<void>;
  kill(): void;
};

const BOOTSTRAP = fileURLToPath(new URL("./bootstrap.ts", import.meta.url));

// A grandchild may keep the pipes open for ever, and a handler may have closed its output.
const OUTPUT_WAIT_MS = 500;

/** Starts the process of one execution environment. It ends by itself when the parent does. */
export function startProcess(options: ProcessOptions): EnvironmentProcess {
  const child = fork(BOOTSTRAP, [options.handler], {
    cwd: options.codeDirectory,
    env: { ...options.variables },
    execArgv: [`--max-old-space-size=${options.memoryMb}`, "--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // An event is one long text: as JSON within JSON it would be escaped, and take twice as long.
    serialization: "advanced",
  });
  child.on("message", (message) => options.onMessage(message as EnvironmentMessage));
  const ends = createOutputEnds();
  for (const name of ["stdout", "stderr"] as const) {
    readLines(child[name], (line) => {
      const text = ends.take(line);
      if (text !== undefined) options.onLine(name, text);
    });
  }
  return {
    pid: child.pid ?? 0,
    ended: endOf(child),
    // A process that is gone is told by `ended`, so a send that fails needs no answer of its own.
    send(invoke): void {
      ends.expect(invoke.requestId);
      child.send(invoke, () => undefined);
    },
    outputRead: async () =>
      void (await Promise.race([ends.both(), delay(OUTPUT_WAIT_MS, undefined, { ref: false })])),
    kill: () => void child.kill("SIGKILL"),
  };
}

/** Watches both streams for the end of the one invocation that is under way. */
type OutputEnds = {
  readonly expect: (requestId: string) => void;
  readonly both: () => Promise<void>;
  /** The text of a line; undefined where it is nothing but the end. */
  readonly take: (line: string) => string | undefined;
};

function createOutputEnds(): OutputEnds {
  let end = outputEnd("");
  let left = 0;
  let seen = Promise.withResolvers<void>();
  return {
    expect(requestId): void {
      end = outputEnd(requestId);
      left = 2;
      seen = Promise.withResolvers();
    },
    both: () => seen.promise,
    take(line): string | undefined {
      if (left === 0 || !line.endsWith(end)) return line;
      left -= 1;
      if (left === 0) seen.resolve();
      // What came before it is a line that the handler did not end.
      return line.slice(0, -end.length) || undefined;
    },
  };
}

function readLines(stream: Readable | null, onLine: (text: string) => void): void {
  if (stream !== null) createInterface({ input: stream }).on("line", onLine);
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      if (child.pid === undefined) resolve(`not started: ${error.message}`);
    });
    child.once("exit", (code, signal) => {
      const how = signal === null ? `exit status ${code}` : `signal: ${signal}`;
      void Promise.race([once(child, "close"), delay(OUTPUT_WAIT_MS)]).then(() => resolve(how));
    });
  });
}
