import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readTestimony } from "../../../local/demo/faults.ts";
import { readEvents } from "../../../local/demo/read-events.ts";

const FILE = resolve("local/events/game.ndjson");

describe("the demo's event file", () => {
  it("is what its seeded script makes", () => {
    const made = execFileSync(process.execPath, ["local/demo/make-events.ts"]).toString();
    expect(readFileSync(FILE, "utf8")).toBe(made);
  });

  it("holds 2,000 events of 500 keys, one of which kills", () => {
    const { records: lines, refused } = readEvents(FILE);
    const records = lines.map(({ record }) => record);
    expect(refused).toEqual([]);
    expect(records).toHaveLength(2000);
    expect(new Set(records.map(({ key }) => key)).size).toBe(500);
    expect(new Set(records.map(({ id }) => id)).size).toBe(2000);
    expect(records.filter(({ payload }) => String(payload).includes('"kills"'))).toHaveLength(1);
  });
});

function fileOf(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), "events-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "events.ndjson");
  writeFileSync(path, text);
  return path;
}

it.each([
  { text: "\n", got: "got no line", why: "it is empty" },
  { text: "\n{}\n", got: "got line 2: expected `key` to be text", why: "no line is a record" },
])("refuses a file without a record: $why", ({ text, got }) => {
  expect(() => readEvents(fileOf(text))).toThrow(got);
});

it("reports a bad line of a user's file by its number and goes on", () => {
  const path = fileOf('{"key":"a","payload":1}\nnot json\n\n{"key":"b","payload":"x"}\r\n');
  const { records, refused } = readEvents(path);
  expect(records).toMatchObject([
    { line: 1, record: { key: "a", payload: "1" } },
    { line: 4, record: { key: "b", payload: "x" } },
  ]);
  expect(refused).toMatchObject([{ line: 2 }]);
});

it("takes only whole lines of the demo's handler for testimony", () => {
  expect(readTestimony('{"demo":"failed","id":"e1"}')).toEqual({ demo: "failed", id: "e1" });
  expect(readTestimony('{"level":"INFO","id":"e1"}')).toBeUndefined();
});
