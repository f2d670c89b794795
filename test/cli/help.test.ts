import { describe, expect, it } from "vitest";
import { verbs } from "./command-page.ts";
import { run } from "./stage.ts";

describe.each([...verbs()])("%s --help", (verb, command) => {
  it("says of every option whether it must be given", async () => {
    const { exitCode, out } = await run(...verb.split(" "), "--help");
    expect(exitCode).toBe(0);
    const marked = out.replace(/\s+/g, " ").split("(required)").length - 1;
    expect(marked).toBe(command.options.filter(({ mandatory }) => mandatory).length);
  });

  it("gives every default as it would be typed", () => {
    for (const { flags, defaultValue, defaultValueDescription: shown } of command.options) {
      if (defaultValue === undefined || Array.isArray(defaultValue)) continue;
      const counts = /<(?:number|count)>/.test(flags);
      const typed = shown ?? defaultValue;
      expect({ flags, typed, kind: typeof typed }).toEqual({
        flags,
        typed,
        kind: counts ? "number" : "string",
      });
    }
  });
});
