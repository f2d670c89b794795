import { globSync, readFileSync } from "node:fs";
import { QueryCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { LEASE, PAUSE, setConsumer } from "./consumer/consumer-stage.ts";
import { deadItem, MINUTE, NOW } from "./letters/letters.ts";
import { actItem, setPartition } from "./partitions/partition-stage.ts";
import { plannedLetter, planOf, resultOf, setReplay } from "./replay/replay-stage.ts";
import { dynamoDb, run } from "./stage.ts";

const DOCS = readFileSync(new URL("../../docs/command.md", import.meta.url), "utf8");
const SHAPES = DOCS.slice(DOCS.indexOf("\n## JSON\n"));

/** What the page says of an answer: from its name to the next one. */
function sectionOf(kind: string): string {
  const start = `^(?:\`${kind}\`| {4}${kind} {2}).*\n`;
  const [section] = new RegExp(`${start}(?:(?!\`).*\n)*`, "m").exec(SHAPES) ?? [];
  if (section !== undefined) return section;
  throw new Error(`Expected docs/command.md to tell the shape of \`${kind}\``);
}

/** Fields that begin a line of the page's block: others stand behind them. */
function fieldsIn(section: string): readonly string[] {
  return section.split("\n").flatMap((line) => /^ {4}(\w+)(?=[ ,;]|$)/.exec(line)?.[1] ?? []);
}

/** Names of all fields, those of nested objects included. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

const HEAD = deadItem({ id: "head", state: "retrying", attempts: 2, partition: 7 });

const ACT = actItem("019c11d5-5200-7000-8000-000000000001", NOW - 45 * MINUTE, {
  id: "a",
  outcome: "failed",
});

const busy = () =>
  setConsumer({
    states: ["Disabled"],
    locks: [PAUSE, LEASE],
    waiting: 3,
    held: 1,
    open: [HEAD, deadItem()],
  });

const letters = () => setConsumer({ held: 1, open: [deadItem()] });

const onePartition = () =>
  setPartition({ waiting: 1, held: 1, open: [deadItem()], record: deadItem(), acts: [ACT] });

const PLAN = planOf([plannedLetter()]);

const LETTER = { id: "a", outcome: "replayed", oldReason: "no item 4" } as const;

const replayed = () =>
  setReplay({ plan: PLAN, replay: resultOf({ replayed: 1, letters: [LETTER] }) });

const acts = () => {
  setReplay({});
  dynamoDb.on(QueryCommand).resolves({ Items: [ACT.act] });
};

const ANSWERS = [
  { kind: "status", set: busy, words: ["status", "grants"] },
  { kind: "partitions", set: busy, words: ["partitions", "grants"] },
  { kind: "explain", set: onePartition, words: ["explain", "grants", "--key", "player:1"] },
  { kind: "trace", set: onePartition, words: ["trace", "a", "--name", "grants"] },
  { kind: "letters-groups", set: letters, words: ["letters", "groups", "grants"] },
  { kind: "letters-list", set: letters, words: ["letters", "list", "grants"] },
  { kind: "letters-affected", set: letters, words: ["letters", "affected", "grants"] },
  { kind: "letters-show", set: letters, words: ["letters", "show", "a", "--name", "grants"] },
  { kind: "acts-list", set: acts, words: ["acts", "list", "grants"] },
  { kind: "replay-plan", set: replayed, words: ["replay", "plan", "grants", "--all"] },
  {
    kind: "replay-run",
    set: replayed,
    words: ["replay", "run", "grants", "--all", "--yes", "--why", "mended"],
  },
  { kind: "replay-status", set: acts, words: ["replay", "status", "grants"] },
  { kind: "replay-cancel", set: acts, words: ["replay", "cancel", "grants"] },
  {
    kind: "capacity",
    set: () => undefined,
    words: ["capacity", "--rate", "5/s", "--handler", "20ms"],
  },
  { kind: "pause", set: busy, words: ["pause", "grants", "--why", "mending"] },
];

/** Codes of all errors that the command's sources make. */
function errorCodes(): ReadonlySet<string> {
  const sources = globSync("cli/**/*.ts").map((path) => readFileSync(path, "utf8"));
  const codes = sources.flatMap((source) =>
    [...source.matchAll(/\bcode: [^,\n]*/g)].flatMap(([line]) =>
      [...line.matchAll(/"([a-z-]+)"/g)].map(([, code]) => code ?? ""),
    ),
  );
  return new Set(codes);
}

describe("docs/command.md", () => {
  it("says of every error code what it means", () => {
    const codes = [...errorCodes()];
    expect(codes).toEqual(expect.arrayContaining(["no-filter", "table-missing", "at-page"]));
    expect(codes.filter((code) => !DOCS.includes(`\`${code}\``))).toEqual([]);
  });

  it.each(ANSWERS)("names every field of $kind, and no other", async ({ kind, set, words }) => {
    set();
    const { out } = await run(...words, "--json");
    const answer = JSON.parse(out);
    expect(answer.kind).toBe(kind);
    const unnamed = namesIn(answer).filter((name) => !new RegExp(`\\b${name}\\b`).test(SHAPES));
    expect([...new Set(unnamed)]).toEqual([]);
    const names = new Set(namesIn(answer));
    expect(fieldsIn(sectionOf(kind)).filter((field) => !names.has(field))).toEqual([]);
  });
});
