import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS, type Settings, settingsOf } from "../../../lambdas/core/settings.ts";

const document = readFileSync(new URL("../../../docs/library.md", import.meta.url), "utf8");
const source = readFileSync(new URL("../../../infra/ordered-backlog.ts", import.meta.url), "utf8");

/** Cells of a table by the name in the first one. */
const rows = new Map(
  [...document.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, name = "", cells = ""]) => [
    name,
    cells.split("|").map((cell) => cell.trim()),
  ]),
);

test.each(Object.keys(settingsOf()))("docs/library.md tells all of the setting %s", (name) => {
  const [unit, byDefault, range, atLimit] = rows.get(name) ?? [];
  for (const cell of [unit, range, atLimit]) expect(cell).not.toBe(undefined);
  expect(atLimit?.length).toBeGreaterThan(10);
  const value = DEFAULT_SETTINGS[name as keyof typeof DEFAULT_SETTINGS];
  if (value !== undefined) expect(byDefault?.replaceAll("`", "")).toBe(String(value));
});

test.each(Object.keys(settingsOf()).filter((name) => name !== "name"))(
  "docs/library.md tells the range of %s that the synth holds it to",
  (name) => {
    const [, from = "", to = ""] =
      /from (-?[\d.]+) to (\d+), got `NaN`/.exec(refusalOf(name)) ?? [];
    expect(to).not.toBe("");
    // Without a bound of its own there is none to tell.
    if (Number(to) === Number.MAX_SAFE_INTEGER) return;
    expect(rows.get(name)?.[2]).toMatch(new RegExp(`^from ${from} to ${to}(,|$)`));
  },
);

test("docs/library.md has each prop of OrderedBacklog", () => {
  const [, props = ""] = /type OrderedBacklogProps = (.*?)\n};/s.exec(source) ?? [];
  const names = [...props.matchAll(/readonly (\w+)\??:/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(5);
  // The handler has a row for each of its own props.
  for (const name of names) expect(document).toMatch(new RegExp(`^\\| \`${name}[.\`]`, "m"));
});

/** What is said of a setting that is no number at all. */
function refusalOf(name: string): string {
  const wrong: Partial<Settings> = { [name]: Number.NaN };
  try {
    return String(settingsOf(wrong));
  } catch (error) {
    return String(error);
  }
}
