import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const text = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

const listed = text("../CASES.md")
  .split("\n")
  .filter((line) => line.startsWith("| C"))
  .flatMap((line) => {
    const [number = "", , files = ""] = line.slice("| ".length).split(" | ");
    return [...files.matchAll(/cases\/([a-z-]+\.test\.ts)/g)].map(
      ([, file]) => `${number} ${file}`,
    );
  });

it("the table of cases names each test file that shows a case, and no other", () => {
  const shown = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".test.ts") && file !== "table.test.ts")
    .flatMap((file) => {
      const titles = text(file).matchAll(/"((?:C\d\d, )*C\d\d): /g);
      const numbers = [...titles].flatMap(([, title = ""]) => title.split(", "));
      return [...new Set(numbers)].map((number) => `${number} ${file}`);
    });
  expect(listed.toSorted()).toEqual(shown.toSorted());
});
