import { readTestimony } from "./faults.ts";

/** Collects the ids on which a handler failed or died, from what the functions write. */
export type FailureWitness = {
  readonly ids: ReadonlySet<string>;
  /** Reads one line that a function wrote. */
  readonly read: (line: string) => void;
};

/** The demo's handler gives testimony of its own; with the user's handler the consumer's log is all
 *  there is. */
export function failureWitness(ownHandler: boolean): FailureWitness {
  const ids = new Set<string>();
  return {
    ids,
    read(line: string): void {
      const id = ownHandler ? failedInLog(line) : readTestimony(line)?.id;
      if (id !== undefined) ids.add(id);
    },
  };
}

function failedInLog(line: string): string | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const { id, attempt, attempts }: Readonly<Record<string, unknown>> = JSON.parse(line);
    const called = Number(attempt ?? attempts ?? 0) > 0;
    return typeof id === "string" && called ? id : undefined;
  } catch {
    return undefined;
  }
}
