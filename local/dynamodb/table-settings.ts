import type { Store } from "./dynalite-store.ts";

/** What a table is set to beyond what dynalite knows. */
export type TableSettings = {
  readonly deletionProtection: boolean;
  readonly pointInTimeRecovery: boolean;
  /** Attribute whose time in epoch seconds ends an item; undefined while none does. */
  readonly timeToLiveAttribute: string | undefined;
};

const DEFAULTS: TableSettings = {
  deletionProtection: false,
  pointInTimeRecovery: false,
  timeToLiveAttribute: undefined,
};

/** Beside dynalite's own keys, none of which begins so. */
const PREFIX = "settings~";

export async function settingsOfTable(store: Store, table: string): Promise<TableSettings> {
  const kept = await store.db.get(PREFIX + table);
  return { ...DEFAULTS, ...(kept as Partial<TableSettings> | undefined) };
}

/** Changes the settings given and keeps the others. */
export async function changeSettings(
  store: Store,
  table: string,
  changes: Partial<TableSettings>,
): Promise<void> {
  const settings = await settingsOfTable(store, table);
  await store.db.put(PREFIX + table, { ...settings, ...changes });
}

export async function forgetSettings(store: Store, table: string): Promise<void> {
  await store.db.del(PREFIX + table);
}

/** Tables whose items end by time, with the attribute that says when. */
export async function tablesWithTimeToLive(
  store: Store,
): Promise<readonly { readonly table: string; readonly attribute: string }[]> {
  const tables: { table: string; attribute: string }[] = [];
  for await (const [key, value] of store.db.iterator({ gt: PREFIX, lt: `${PREFIX}~` })) {
    const { timeToLiveAttribute: attribute } = value as Partial<TableSettings>;
    if (attribute !== undefined) tables.push({ table: key.slice(PREFIX.length), attribute });
  }
  return tables;
}
