/** No invocation could be started in time. On the wire: TooManyRequestsException, status 429. */
export class ThrottledError extends Error {
  constructor(why: string) {
    super(`Rate Exceeded. ${why}`);
    this.name = "ThrottledError";
  }
}

/** Frees the slot; a second call does nothing. */
export type Release = () => void;

/** Bounds how many invocations run at once, over all functions, as an account's limit does. */
export type Concurrency = {
  /** First come, first served. @throws ThrottledError after `waitMs` without a free slot. */
  acquire(waitMs: number): Promise<Release>;
  /** Turns away all who wait, and all who come; resolves when every slot is free. */
  close(): Promise<void>;
};

type Waiter = { readonly admit: () => void; readonly refuse: (error: Error) => void };

export function createConcurrency(limit: number): Concurrency {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`Expected \`limit\` to be a whole number from 1 and up, got \`${limit}\``);
  }
  const waiters = new Set<Waiter>();
  const empty = Promise.withResolvers<void>();
  let taken = 0;
  let closed = false;

  const slot = (): Release => {
    taken += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      taken -= 1;
      const [next] = waiters;
      next?.admit();
      if (closed && taken === 0) empty.resolve();
    };
  };

  const wait = (waitMs: number): Promise<Release> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiters.delete(waiter);
        clearTimeout(timer);
      };
      const waiter: Waiter = {
        admit(): void {
          leave();
          resolve(slot());
        },
        refuse(error): void {
          leave();
          reject(error);
        },
      };
      const timer = setTimeout(
        () =>
          waiter.refuse(new ThrottledError(`All ${limit} slots were busy for ${waitMs / 1000} s`)),
        waitMs,
      );
      waiters.add(waiter);
    });

  return {
    async acquire(waitMs): Promise<Release> {
      if (closed) throw new ThrottledError("Lambda is stopping");
      return taken < limit ? slot() : wait(waitMs);
    },
    close(): Promise<void> {
      closed = true;
      if (taken === 0) empty.resolve();
      for (const waiter of waiters) waiter.refuse(new ThrottledError("Lambda is stopping"));
      return empty.promise;
    },
  };
}
