import { indexPrefix, itemPrefix } from "./dynalite.ts";
import type { BatchWrite, Callback, Item, ItemDb, Store } from "./dynalite-store.ts";

/** The item that an action found where it was to write; `seen` after the action has run. */
export type Sighting = { item?: Item | undefined };

/** A view of the store that notes the item which an action on one item reads under its lock. */
export function watchedStore(store: Store, sighting: Sighting): Store {
  return {
    ...store,
    getItemDb(table): ItemDb {
      const items = store.getItemDb(table);
      return {
        ...items,
        get: (key, callback) =>
          items.get(key, (error, item) => {
            sighting.item = item;
            callback(error, item);
          }),
      };
    },
  };
}

/**
 * A view of the store for one action on one item: its index entries, which dynalite writes first,
 * are held back and written with the item in one batch, so that no kill leaves the one without the
 * other.
 */
export function atomicStore(store: Store): Store {
  const entries = new Map<string, BatchWrite>();
  const commit = (write: BatchWrite, callback: Callback<void>): void => {
    store.db.batch([...entries.values(), write]).then(() => callback(undefined), callback);
  };
  return {
    ...store,
    getItemDb(table): ItemDb {
      const items = store.getItemDb(table);
      const prefix = itemPrefix(table);
      return {
        lock: (keys, run) => items.lock(keys, run),
        get: (key, callback) => items.get(key, callback),
        put: (key, value, callback) => commit({ type: "put", key: prefix + key, value }, callback),
        del: (key, callback) => commit({ type: "del", key: prefix + key }, callback),
      };
    },
    getIndexDb: (kind, table, index) =>
      buffered(store.getIndexDb(kind, table, index), indexPrefix(kind, table, index), entries),
  };
}

/**
 * A view of the store that keeps writes in `writes`, by their key in the database, instead of doing
 * them. Reads do not see them, and locks are taken for held: it is for actions on different items
 * that the caller has locked.
 */
export function bufferedStore(store: Store, writes: Map<string, BatchWrite>): Store {
  return {
    ...store,
    getItemDb: (table) => buffered(store.getItemDb(table), itemPrefix(table), writes),
    getIndexDb: (kind, table, index) =>
      buffered(store.getIndexDb(kind, table, index), indexPrefix(kind, table, index), writes),
  };
}

function buffered(items: ItemDb, prefix: string, writes: Map<string, BatchWrite>): ItemDb {
  return {
    lock: (_keys, run) => run((done) => done),
    get: (key, callback) => items.get(key, callback),
    put(key, value, callback): void {
      writes.set(prefix + key, { type: "put", key: prefix + key, value });
      setImmediate(callback);
    },
    del(key, callback): void {
      writes.set(prefix + key, { type: "del", key: prefix + key });
      setImmediate(callback);
    },
  };
}
