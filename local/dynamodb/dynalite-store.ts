/**
 * Types of dynalite's store, which has none of its own: tables, their items and indexes over one
 * LevelDB.
 */

export type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type Table = Readonly<Record<string, unknown>> & { readonly TableStatus: string };

export type Callback<T> = (error: unknown, value?: T) => void;

/** Items, or index entries, of one table, by their encoded key. */
export type ItemDb = {
  /** Calls `run` when all keys are free; what `release` wraps frees them when it is called. All
   *  keys are queued for at once, so locks taken in one tick cannot deadlock. */
  lock(keys: string | readonly string[], run: (release: Release) => void): void;
  get(key: string, callback: Callback<Item>): void;
  put(key: string, item: Item, callback: Callback<void>): void;
  del(key: string, callback: Callback<void>): void;
};

export type Release = <F extends (...args: never[]) => void>(done: F) => F;

export type BatchWrite =
  | { readonly type: "put"; readonly key: string; readonly value: unknown }
  | { readonly type: "del"; readonly key: string };

/** The one LevelDB under all tables; a batch is written as a whole or not at all. */
export type Database = {
  open(): Promise<void>;
  close(): Promise<void>;
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  del(key: string): Promise<void>;
  batch(writes: readonly BatchWrite[]): Promise<void>;
  iterator(range: { readonly gt: string; readonly lt: string }): AsyncIterable<[string, unknown]>;
};

export type Store = {
  readonly db: Database;
  /** `active` leaves out a table that is being created or deleted. */
  getTable(name: string, active: boolean, callback: Callback<Table>): void;
  getItemDb(table: string): ItemDb;
  getIndexDb(kind: string, table: string, index: string): ItemDb;
};
