import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readTestimony } from "../../../local/demo/faults.ts";
import { readEvents } from "../../../local/demo/read-events.ts";

const FILE = resolve("local/events/game.ndjson");

describe("the demo's event file", () => {
  it("is what its seeded script makes", () => {
    const made = execFileSync(process.execPath, ["local/demo/make-events.ts"]).toString();
    expect(readFileSync(FILE, "utf8")).toBe(made);
  });

  it("holds 2,000 events of 500 keys, one of which kills", () => {
    const { records, refused } = readEvents(FILE);
    expect(refused).toEqual([]);
    expect(records).toHaveLength(2000);
    expect(new Set(records.map(({ key }) => key)).size).toBe(500);
    expect(new Set(records.map(({ id }) => id)).size).toBe(2000);
    expect(records.filter(({ payload }) => String(payload).includes('"kills"'))).toHaveLength(1);
  });
});

it("reports a bad line of a user's file by its number and goes on", () => {
  const directory = mkdtempSync(join(tmpdir(), "events-"));
  const path = join(directory, "events.ndjson");
  writeFileSync(path, '{"key":"a","payload":1}\nnot json\n\n{"key":"b","payload":"x"}\r\n');
  const { records, refused } = readEvents(path);
  rmSync(directory, { recursive: true });
  expect(records).toEqual([
    { key: "a", payload: "1" },
    { key: "b", payload: "x" },
  ]);
  expect(refused).toMatchObject([{ line: 2 }]);
});

it("takes only whole lines of the demo's handler for testimony", () => {
  expect(readTestimony('{"demo":"failed","id":"e1"}')).toEqual({ demo: "failed", id: "e1" });
  expect(readTestimony('{"level":"INFO","id":"e1"}')).toBeUndefined();
});
