import { append, type Chain, detach, emptyChain, type Link, valuesOf } from "./chain.ts";

export type Remembered<V> = {
  readonly key: string;
  readonly value: V;
  readonly expiresAtMs: number;
};

/** A map that forgets each entry a fixed time after it was set. */
export type ExpiringMap<V> = {
  get(key: string, nowMs: number): V | undefined;
  /** Sets or replaces; times must not fall from one call to the next. */
  set(key: string, value: V, nowMs: number): void;
  /** Lets go of what has expired. */
  prune(nowMs: number): void;
  /** When the oldest entry expires; undefined if there is none. */
  oldestExpiryMs(): number | undefined;
  /** Oldest first. */
  entries(): Iterable<Remembered<V>>;
  readonly size: number;
};

export function createExpiringMap<V>(windowMs: number): ExpiringMap<V> {
  const links = new Map<string, Link<Remembered<V>>>();
  const order: Chain<Remembered<V>> = emptyChain();
  const drop = (link: Link<Remembered<V>>): void => {
    links.delete(link.value.key);
    detach(order, link);
  };
  return {
    get(key, nowMs): V | undefined {
      const entry = links.get(key)?.value;
      return entry === undefined || entry.expiresAtMs <= nowMs ? undefined : entry.value;
    },
    set(key, value, nowMs): void {
      const before = links.get(key);
      if (before !== undefined) drop(before);
      links.set(key, append(order, { key, value, expiresAtMs: nowMs + windowMs }));
    },
    prune(nowMs): void {
      for (
        let link = order.first;
        link !== undefined && link.value.expiresAtMs <= nowMs;
        link = order.first
      ) {
        drop(link);
      }
    },
    oldestExpiryMs: () => order.first?.value.expiresAtMs,
    entries: () => valuesOf(order),
    get size(): number {
      return links.size;
    },
  };
}
