import { beforeEach, describe, expect, it } from "vitest";
import { run, setBacklog } from "../stage.ts";
import { DAY, deadItem, MINUTE, NOW } from "./letters.ts";

beforeEach(() => {
  setBacklog({
    held: 4,
    open: [
      deadItem({ id: "a", key: "player:2", reason: "no item 4", failedAtMs: NOW - DAY }),
      deadItem({ id: "b", key: "player:2", reason: "malformed", failedAtMs: NOW - MINUTE }),
      deadItem({ id: "c", key: '=HYPERLINK("x")', reason: "no item 5" }),
    ],
  });
});

describe("letters affected", () => {
  it("lists keys by their letters, the most first", async () => {
    const { exitCode, out } = await run("letters", "affected", "grants");
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^3 dead letters\n2 keys affected\n/);
    expect(out).toMatch(/player:2 +2 +1d ago +1m ago +in 13d +[0-9a-f]{8}, [0-9a-f]{8}\n/);
    expect(out).toContain("holds 1 more that the ledger does not list");
  });

  it("writes CSV with all else on the error stream, and no cell that a spreadsheet would run", async () => {
    const { out, errors } = await run("letters", "affected", "grants", "--format", "csv");
    const lines = out.split("\n");
    expect(lines[0]).toBe("key,letters,firstFailedAt,lastFailedAt,nearestExpiry,groups");
    expect(lines[1]).toMatch(
      /^player:2,2,2026-01-30T03:00:00.000Z,2026-01-31T02:59:00.000Z,2026-02-13T03:00:00.000Z,/,
    );
    expect(lines[2]).toMatch(/^"'=HYPERLINK\(""x""\)",1,/);
    expect(lines).toHaveLength(3);
    expect(errors).toMatch(/^3 dead letters\n2 keys affected\n/);
  });

  it.each(["=1", "+1", "-1", "@a", "\t=1", "\r=1"])("disarms a key such as %j", async (key) => {
    setBacklog({ held: 1, open: [deadItem({ key })] });
    const { out } = await run("letters", "affected", "grants", "--format", "csv");
    const [, row = ""] = out.split(/\n(?=['"])/);
    expect(row.replace(/^"/, "").startsWith(`'${key}`)).toBe(true);
  });

  it("takes the filter of every other verb, and prints it with its times frozen", async () => {
    const { errors, out } = await run(
      ...["letters", "affected", "grants", "--format", "csv", "--since", "2h", "--reason", "item"],
    );
    expect(errors).toContain("Filter: --reason item --since 2026-01-31T01:00:00Z");
    expect(out.split("\n")).toHaveLength(2);
  });

  it("answers in JSON", async () => {
    const { out } = await run("letters", "affected", "grants", "--json");
    expect(JSON.parse(out)).toMatchObject({
      kind: "letters-affected",
      matched: 3,
      keys: [
        { key: "player:2", letters: 2 },
        { key: '=HYPERLINK("x")', letters: 1 },
      ],
    });
  });
});

describe("letters export", () => {
  it("writes one letter a line, null for what is not known, and no payload", async () => {
    const { exitCode, out, errors } = await run("letters", "export", "grants", "--key", "player:2");
    const letters = out.split("\n").map((line) => JSON.parse(line));
    expect(letters.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(letters[0]).toEqual({
      id: "a",
      key: "player:2",
      partition: 1,
      offset: "10",
      generation: 0,
      attempts: 3,
      reason: "no item 4",
      group: expect.stringMatching(/^[0-9a-f]{8}$/),
      fingerprint: "no item <n>",
      messageId: null,
      enqueuedAt: "2026-01-31T02:50:00.000Z",
      failedAt: "2026-01-30T03:00:00.000Z",
      expiresAt: "2026-02-13T03:00:00.000Z",
    });
    expect(errors).toContain("Filter: --key player:2");
    expect(exitCode).toBe(0);
  });

  it("writes nothing where no letter matches", async () => {
    const { out, errors } = await run("letters", "export", "grants", "--key", "nobody");
    expect(out).toBe("");
    expect(errors).toMatch(/^0 dead letters/);
  });
});
