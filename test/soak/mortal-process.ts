import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** A process that is killed and started again, always with the same arguments. */
export type MortalProcess = {
  /** Resolves to its first message, which says that it is ready. */
  start(): Promise<unknown>;
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>;
  /** Sends a message and waits for the next one from it. @throws if it is dead or dies instead. */
  ask(question: unknown): Promise<unknown>;
  /** @throws Error if it ended without being killed. */
  assertUnharmed(): void;
};

export function mortalProcess(entry: URL, args: readonly string[]): MortalProcess {
  let child: ChildProcess | undefined;
  let ended: string | undefined;
  const name = entry.pathname.slice(entry.pathname.lastIndexOf("/") + 1);
  const next = async (): Promise<unknown> => {
    if (child === undefined) throw new Error(`${name} is dead`);
    const dead = new AbortController();
    const { signal } = dead;
    try {
      return await Promise.race([
        once(child, "message", { signal }).then(([message]: unknown[]) => message),
        once(child, "exit", { signal }).then(() => {
          throw new Error(`${name} died before it answered`);
        }),
      ]);
    } finally {
      dead.abort();
    }
  };
  return {
    start(): Promise<unknown> {
      const started = fork(entry, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
      started.once("exit", (code, signal) => {
        if (child === started) ended = `${name} ended by itself: ${signal ?? `status ${code}`}`;
      });
      child = started;
      return next();
    },
    async kill(): Promise<void> {
      const killed = child;
      child = undefined;
      if (killed === undefined || killed.exitCode !== null || killed.signalCode !== null) return;
      const gone = once(killed, "exit");
      killed.kill("SIGKILL");
      await gone;
    },
    ask(question): Promise<unknown> {
      const answer = next();
      child?.send(question as object, () => undefined);
      return answer;
    },
    assertUnharmed(): void {
      if (ended !== undefined) throw new Error(ended);
    },
  };
}
