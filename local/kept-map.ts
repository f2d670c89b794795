import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A small map whose content outlives the process. Values are JSON. */
export type KeptMap<T> = {
  get(key: string): T | undefined;
  /** In the order in which the keys were set first. */
  entries(): readonly (readonly [string, T])[];
  /** Written when it returns: a kill afterwards loses nothing. */
  set(key: string, value: T): void;
  delete(key: string): void;
};

export type KeptMapOptions = {
  /** Replaces parts of the file's text before it is read, such as an address that has changed. */
  readonly reword?: (text: string) => string;
};

/**
 * Opens the map in a file, which is written anew with each change: it is for tens of values, not
 * thousands. Without a path it lives in memory.
 * @throws Error naming the file if it is not JSON
 */
export function openKeptMap<T>(
  path: string | undefined,
  { reword = (text: string): string => text }: KeptMapOptions = {},
): KeptMap<T> {
  const values = new Map<string, T>(
    path === undefined ? [] : (readEntries(path, reword) as [string, T][]),
  );
  const save = (): void => {
    if (path === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    // Renamed, so that whoever is killed meanwhile leaves the old content or the new.
    writeFileSync(`${path}.new`, JSON.stringify([...values], undefined, 1));
    renameSync(`${path}.new`, path);
  };
  return {
    get: (key) => values.get(key),
    entries: () => [...values],
    set(key, value): void {
      values.set(key, value);
      save();
    },
    delete(key): void {
      if (values.delete(key)) save();
    },
  };
}

function readEntries(path: string, reword: (text: string) => string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  try {
    return JSON.parse(reword(text));
  } catch (cause) {
    throw new Error(
      `Expected JSON in ${path}, got \`${text.slice(0, 80)}\`. Move its folder away to start empty`,
      { cause },
    );
  }
}
