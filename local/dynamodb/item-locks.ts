import type { Release, Store } from "./dynalite-store.ts";

/** Where an item is: its table and its encoded key. */
export type ItemPlace = { readonly table: string; readonly key: string };

/**
 * Waits for the items' locks, which every write of dynalite takes too, runs, and frees them. All
 * are queued for in one tick, so whoever queued first comes first on every item: no deadlock.
 */
export async function withItemsLocked<T>(
  store: Store,
  places: readonly ItemPlace[],
  run: () => Promise<T>,
): Promise<T> {
  const tables = Map.groupBy(places, ({ table }) => table);
  const releases = await Promise.all(
    [...tables].map(([table, rows]) => locked(store, table, new Set(rows.map(({ key }) => key)))),
  );
  try {
    return await run();
  } finally {
    for (const release of releases) release(() => undefined)();
  }
}

function locked(store: Store, table: string, keys: ReadonlySet<string>): Promise<Release> {
  return new Promise((resolve) => store.getItemDb(table).lock([...keys], resolve));
}
