import type {
  ExecutionEnvironment,
  InvocationRequest,
  InvocationResult,
} from "./execution-environment.ts";
import type { FunctionVersion } from "./function-version.ts";

/** What `ps` would show of one execution environment. */
export type EnvironmentStatus = {
  readonly functionName: string;
  readonly pid: number;
  readonly busy: boolean;
};

export type PoolOptions = {
  /** Processes at most; the one that idled longest makes room for another function's. */
  readonly processesMax: number;
  /** An environment that was not used for so long is stopped. */
  readonly idleMs: number;
  readonly start: (version: FunctionVersion) => ExecutionEnvironment;
};

/** Keeps warm environments and gives each invocation one of its own. */
export type EnvironmentPool = {
  /** The caller bounds how many run at once. Never rejects. */
  invoke(version: FunctionVersion, request: InvocationRequest): Promise<InvocationResult>;
  /** Stops the version's idle environments now and the busy ones after their invocation. */
  retire(version: FunctionVersion): void;
  list(): readonly EnvironmentStatus[];
  /** Sends SIGKILL to every process and returns at once, as an `exit` listener must. */
  killAll(): void;
  /** Resolves when no process is left. */
  close(): Promise<void>;
};

type Place = {
  readonly environment: ExecutionEnvironment;
  /** `retiring`: busy for the last time. `ending`: killed, and not to be taken again. */
  state: "busy" | "retiring" | "idle" | "ending";
  idleTimer?: NodeJS.Timeout;
};

export function createEnvironmentPool(options: PoolOptions): EnvironmentPool {
  // In the order of their last use: the last one is the warmest.
  const places = new Set<Place>();
  let closed = false;

  const start = (version: FunctionVersion): Place => {
    if (places.size >= options.processesMax) discard([...places].find(isIdle));
    const environment = options.start(version);
    const place: Place = { environment, state: "busy" };
    places.add(place);
    void environment.ended.then(() => {
      clearTimeout(place.idleTimer);
      places.delete(place);
    });
    if (closed) discard(place);
    return place;
  };

  const take = (version: FunctionVersion): Place => {
    const warm = [...places].findLast(
      (place) => isIdle(place) && place.environment.version === version,
    );
    if (warm === undefined) return start(version);
    clearTimeout(warm.idleTimer);
    warm.state = "busy";
    return warm;
  };

  const giveBack = (place: Place): void => {
    if (place.state === "retiring") discard(place);
    // Gone, if the invocation took the process with it.
    if (place.state !== "busy" || !places.delete(place)) return;
    places.add(place);
    place.state = "idle";
    place.idleTimer = setTimeout(discard, options.idleMs, place).unref();
  };

  return {
    async invoke(version, request): Promise<InvocationResult> {
      const place = take(version);
      const result = await place.environment.invoke(request);
      giveBack(place);
      return result;
    },
    retire(version): void {
      for (const place of places) {
        if (place.environment.version !== version) continue;
        if (place.state === "idle") discard(place);
        else if (place.state === "busy") place.state = "retiring";
      }
    },
    list: () => [...places].map(statusOf),
    killAll(): void {
      for (const place of places) discard(place);
    },
    async close(): Promise<void> {
      closed = true;
      while (places.size > 0) {
        for (const place of places) discard(place);
        await Promise.all([...places].map(({ environment }) => environment.ended));
      }
    },
  };
}

function isIdle({ state }: Place): boolean {
  return state === "idle";
}

function discard(place: Place | undefined): void {
  if (place === undefined) return;
  place.state = "ending";
  place.environment.kill();
}

function statusOf({ environment, state }: Place): EnvironmentStatus {
  return {
    functionName: environment.version.name,
    pid: environment.pid,
    busy: state === "busy" || state === "retiring",
  };
}
