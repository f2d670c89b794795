import { randomUUID } from "node:crypto";
import { type Concurrency, ThrottledError } from "./concurrency.ts";
import type { EnvironmentPool, EnvironmentStatus } from "./environment-pool.ts";
import type { InvocationResult } from "./execution-environment.ts";
import {
  type FunctionChanges,
  type FunctionProps,
  type FunctionVersion,
  functionVersion,
} from "./function-version.ts";

/** How one request to invoke a function ended, for the AWS/Lambda metrics. */
export type InvocationReport = {
  readonly functionName: string;
  /** `error`: it threw, timed out or its process died. `throttled`: it was never started. */
  readonly outcome: "success" | "error" | "throttled";
  /** Milliseconds that the handler ran; 0 for a throttled one. */
  readonly durationMs: number;
  /** Invocations of the function that ran at this moment, this one included. */
  readonly concurrent: number;
};

export type FunctionsOptions = {
  readonly arnPrefix: string;
  readonly pool: EnvironmentPool;
  readonly concurrency: Concurrency;
  readonly onInvocation: (report: InvocationReport) => void;
};

export type InvokeOptions = {
  /** How long to wait for a free slot. */
  readonly waitMs: number;
  /** @default a new UUID */
  readonly requestId?: string;
};

/** No such function. On the wire: ResourceNotFoundException. */
export class FunctionNotFoundError extends Error {
  constructor(arn: string, known: readonly string[]) {
    super(`Function not found: ${arn}. There are: ${known.join(", ") || "none"}`);
    this.name = "FunctionNotFoundError";
  }
}

export type Functions = {
  /** @throws RangeError if the name is taken or a property is out of range. */
  create(props: FunctionProps): FunctionVersion;
  /** Later invocations run in new processes. @throws FunctionNotFoundError, or RangeError for a
   *  property out of range; nothing is changed then. */
  update(name: string, changes: FunctionChanges): FunctionVersion;
  /** What runs ends as it would have; no further invocation begins. @throws FunctionNotFoundError */
  remove(name: string): void;
  /** @throws FunctionNotFoundError */
  get(name: string): FunctionVersion;
  /** Also of one that there is not. */
  arnOf(name: string): string;
  list(): readonly FunctionVersion[];
  environments(): readonly EnvironmentStatus[];
  /** @throws FunctionNotFoundError or ThrottledError; a failing function is a result. */
  invoke(name: string, event: string, options: InvokeOptions): Promise<InvocationResult>;
};

export function createFunctions(options: FunctionsOptions): Functions {
  const { arnPrefix, pool, concurrency } = options;
  const versions = new Map<string, FunctionVersion>();
  const runningByName = new Map<string, number>();

  const arnOf = (name: string): string => `${arnPrefix}${name}`;

  const get = (name: string): FunctionVersion => {
    const version = versions.get(name);
    if (version === undefined) {
      throw new FunctionNotFoundError(arnOf(name), [...versions.keys()]);
    }
    return version;
  };

  const count = (name: string, change: 1 | -1): number => {
    const running = (runningByName.get(name) ?? 0) + change;
    runningByName.set(name, running);
    return running;
  };

  const report = (name: string, concurrent: number, result: InvocationResult): void => {
    options.onInvocation({
      functionName: name,
      outcome: result.functionError === undefined ? "success" : "error",
      durationMs: result.durationMs,
      concurrent,
    });
  };

  const throttled = (name: string, error: unknown): void => {
    if (!(error instanceof ThrottledError)) return;
    const concurrent = runningByName.get(name) ?? 0;
    options.onInvocation({ functionName: name, outcome: "throttled", durationMs: 0, concurrent });
  };

  return {
    get,
    arnOf,
    list: () => [...versions.values()],
    environments: () => pool.list(),
    create(props): FunctionVersion {
      if (versions.has(props.name)) {
        throw new RangeError(`Function already exists: ${props.name}. Use \`update\``);
      }
      const version = functionVersion(props, arnPrefix);
      versions.set(props.name, version);
      return version;
    },
    update(name, changes): FunctionVersion {
      const before = get(name);
      const version = functionVersion({ ...before, ...changes }, arnPrefix);
      versions.set(name, version);
      pool.retire(before);
      return version;
    },
    remove(name): void {
      const version = get(name);
      versions.delete(name);
      pool.retire(version);
    },
    async invoke(name, event, { waitMs, requestId = randomUUID() }): Promise<InvocationResult> {
      get(name);
      const release = await concurrency.acquire(waitMs).catch((error: unknown) => {
        throttled(name, error);
        throw error;
      });
      const concurrent = count(name, 1);
      try {
        // Looked up again: it may have changed, or gone, while this one waited.
        const result = await pool.invoke(get(name), { requestId, event });
        report(name, concurrent, result);
        return result;
      } finally {
        count(name, -1);
        release();
      }
    },
  };
}
