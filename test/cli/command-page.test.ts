import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  examplesIn,
  faultOf,
  faultOfForm,
  pageOf,
  quotedIn,
  spansIn,
  verbIn,
  verbs,
} from "./command-page.ts";

const PAGE = pageOf("docs/command.md");
const CAPACITY = pageOf("docs/capacity.md");

/** Spans that begin with a verb: `letters list [name]`, `status --watch`. */
const FORMS = spansIn(PAGE).filter((span) => verbIn(span) !== undefined);

/** First cells of the page's table of verbs. */
const IN_TABLE = PAGE.split("\n## ")[0]
  ?.split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => spansIn(line.split(" | ")[0] ?? ""));

function optionsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/(?<![\w-])--[a-z][a-z-]+/g));
}

describe("docs/command.md", () => {
  it.each([...verbs()])("has %s in its table, with all that it requires", (verb, command) => {
    const form = IN_TABLE?.find((each) => verbIn(each) === verb) ?? "";
    expect(form).not.toBe("");
    const { registeredArguments, options } = command;
    const required = [
      ...registeredArguments.filter((argument) => argument.required).map(() => "<"),
      ...options.filter(({ mandatory }) => mandatory).map(({ long }) => `${long} <`),
    ];
    for (const each of required) expect(form).toContain(each);
    const names = registeredArguments.map((argument) => argument.name().replace(/s$/, ""));
    for (const name of names) expect(form).toMatch(new RegExp(`[[<]${name}[\\]>]`));
  });

  it("has no verb in its table that the command has not", () => {
    expect(IN_TABLE?.filter((form) => verbIn(form) === undefined)).toEqual([]);
  });

  it.each(FORMS)("writes `%s` as the command reads it", (form) => {
    expect(faultOfForm(form)?.message).toBeUndefined();
  });

  it("names every option of every verb, and no other", () => {
    const named = optionsIn(PAGE);
    const known = [...verbs()].flatMap(([verb, { options }]) =>
      options.map(({ long }) => ({ verb, long: long ?? "" })),
    );
    const pageFor = (verb: string) => (verb === "capacity" ? optionsIn(CAPACITY) : named);
    const missing = known.filter(({ verb, long }) => !pageFor(verb).has(long));
    expect(missing).toEqual([]);
    const all = new Set(["--help", ...known.map(({ long }) => long)]);
    expect([...named, ...optionsIn(CAPACITY)].filter((option) => !all.has(option))).toEqual([]);
  });
});

describe("docs/capacity.md", () => {
  it("gives each option's default", () => {
    const cells = CAPACITY.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    const told = new Map(cells.map(([, flag, shown]) => [flag, shown?.replace(/[`,]/g, "")]));
    for (const { long, defaultValue, defaultValueDescription } of verbs().get("capacity")
      ?.options ?? []) {
      if (defaultValue === undefined) continue;
      expect([long, told.get(`\`${long}\``)]).toEqual([
        long,
        String(defaultValueDescription ?? defaultValue),
      ]);
    }
  });
});

describe.each(["README.md", ...globSync("docs/**/*.md")])("%s", (path) => {
  it("has no command line that the command cannot read", () => {
    const page = pageOf(path);
    const faults = [
      ...examplesIn(page).map((line) => ({ line, fault: faultOf(line) })),
      ...quotedIn(page).map((line) => ({ line, fault: faultOfForm(line) })),
    ];
    const read = faults.map(({ line }) => ({ line, fault: undefined }));
    expect(faults.map(({ line, fault }) => ({ line, fault: fault?.message }))).toEqual(read);
  });
});
