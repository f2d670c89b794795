import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openKeptMap } from "../../local/kept-map.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kept-map-"));
  path = join(folder, "inside", "map.json");
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("what was set and not deleted is there when the file is opened again", () => {
  const map = openKeptMap<number>(path);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.delete("b");
  map.set("c", 4);
  expect(openKeptMap(path).entries()).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
  expect(readdirSync(join(folder, "inside"))).toEqual(["map.json"]);
});

test("the file's text is reworded before it is read", () => {
  openKeptMap<string>(path).set("queue", "http://here/1");
  const reword = (text: string): string => text.replaceAll("here", "there");
  expect(openKeptMap(path, { reword }).get("queue")).toBe("http://there/1");
});

test("a file that is not JSON is named", () => {
  openKeptMap(path).set("a", 1);
  writeFileSync(path, "nonsense");
  expect(() => openKeptMap(path)).toThrow(`Expected JSON in ${path}, got \`nonsense\``);
});

test("without a path nothing is written", () => {
  const map = openKeptMap<number>(undefined);
  map.set("a", 1);
  expect(map.get("a")).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});
