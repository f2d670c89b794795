import { QueryCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, it } from "vitest";
import { dynamoDb, run, setBacklog, sqs } from "../stage.ts";
import { DAY, deadItem, MINUTE, NOW } from "./letters.ts";

beforeEach(() => {
  setBacklog({
    held: 5,
    open: [
      deadItem({ id: "a", reason: "no item 4", key: "player:1", failedAtMs: NOW - DAY }),
      deadItem({ id: "b", reason: "no item 5", key: "player:2", partition: 3 }),
      deadItem({ id: "c", reason: "malformed id", failedAtMs: NOW - MINUTE }),
      deadItem({ id: "gone", failedAtMs: NOW - 15 * DAY }),
      deadItem({ id: "alive", state: "retrying" }),
    ],
  });
});

describe("letters groups", () => {
  it("groups by fault and says what the ledger does not list, and what has expired", async () => {
    const { exitCode, out } = await run("letters", "groups", "grants");
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^3 dead letters$/m);
    expect(out).toMatch(/ 2 +2 +1, 3 +1d ago +5m ago +in 13d +no item <n>$/m);
    expect(out).toMatch(/ 1 +1 +1 +1m ago +1m ago +in 13d23h +malformed id$/m);
    expect(out).toContain("holds 2 more that the ledger does not list");
    expect(out).toContain("1 more has expired, so that nothing is left to replay: `npx");
    expect(out).toMatch(/Next: npx backlogorder letters list grants --group [0-9a-f]{8}$/);
  });

  it("leads to a list of the largest group's letters", async () => {
    const { out } = await run("letters", "groups", "grants");
    const words = /Next: npx backlogorder (.*)$/.exec(out)?.[1]?.split(" ") ?? [];
    const { list } = JSON.parse((await run(...words, "--json")).out);
    expect(list.map(({ id }: { id: string }) => id)).toEqual(["a", "b"]);
  });

  it("answers in JSON with the filter's times frozen", async () => {
    const { out } = await run("letters", "groups", "grants", "--since", "2h", "--json");
    expect(JSON.parse(out)).toMatchObject({
      kind: "letters-groups",
      filter: { since: "2026-01-31T01:00:00.000Z", until: null, partition: null },
      matched: 2,
      taken: 2,
      letters: { held: 5, listed: 3, notListed: 2, expired: 1 },
      groups: [
        { fingerprint: "malformed id", count: 1, partitions: [1] },
        { fingerprint: "no item <n>", count: 1, someKeys: ["player:2"] },
      ],
    });
  });
});

describe("letters list", () => {
  it("lists what failed first at the top, by the filter that it prints", async () => {
    const { out } = await run("letters", "list", "grants", "--reason", "item", "--since", "2d");
    const lines = out.split("\n");
    expect(lines[0]).toBe("2 dead letters");
    expect(lines[1]).toBe("Filter: --reason item --since 2026-01-29T03:00:00Z --limit 100");
    expect(lines[3]).toMatch(/^ {2}a +player:1 +1 +3 +1d ago +in 13d +[0-9a-f]{8} +no item 4$/);
    expect(lines[4]).toMatch(/^ {2}b +player:2 +3 /);
    expect(lines.at(-1)).toBe("Next: npx backlogorder letters show a --name grants");
  });

  it("says how many match beyond its limit", async () => {
    const { out } = await run("letters", "list", "grants", "--limit", "1");
    expect(out.split("\n")[0]).toBe("1 of 3 dead letters");
  });

  it("receives no message, so that it hides none from a replay", async () => {
    await run("letters", "list", "grants");
    const names = sqs.calls().map(({ firstArg }) => firstArg.constructor.name);
    expect(new Set(names)).toEqual(new Set(["GetQueueAttributesCommand"]));
  });
});

describe("discarded letters", () => {
  const discarded = [deadItem({ id: "out" }), deadItem({ id: "gone", failedAtMs: NOW - 15 * DAY })];

  it("are counted for themselves, and not as letters that the ledger does not list", async () => {
    setBacklog({ held: 3, open: [deadItem()], discarded: discarded.slice(0, 1) });
    const { out } = await run("letters", "list", "grants");
    expect(out).toMatch(/^1 dead letter\n/);
    expect(out).toContain("holds 1 more that the ledger does not list");
    expect(out).toContain("1 more is discarded: `npx backlogorder letters discarded grants`.");
  });

  it("are nothing that is left to do, and are forgotten once SQS has deleted them", async () => {
    setBacklog({ held: 1, discarded: discarded.slice(0, 1) });
    const status = await run("status", "grants");
    expect(status.out).toContain("Dead letters: none\n1 more is discarded");
    expect(status.out).toMatch(/Next: nothing to do$/);
    setBacklog({ held: 0, discarded });
    const { out } = await run("status", "grants", "--json");
    expect(JSON.parse(out).letters).toMatchObject({ held: 0, notListed: 0, discarded: 1 });
  });
});

describe("a command to type next", () => {
  it("takes an id that looks like an option for an id", async () => {
    setBacklog({ held: 1, open: [deadItem({ id: "-x y" })] });
    const { out } = await run("letters", "list", "grants");
    expect(out).toMatch(/Next: npx backlogorder letters show --name grants -- '-x y'$/);
    const shown = await run("letters", "show", "--name", "grants", "--", "-x y");
    expect(shown.out).toMatch(/^Record -x y is a dead letter\n/);
    expect(shown.out).toMatch(/Next: npx backlogorder replay plan grants --id '-x y'$/);
  });

  it("quotes a group as it quotes all that was typed", async () => {
    const { out } = await run("letters", "list", "grants", "--group", "a; b");
    expect(out).toContain("Filter: --group 'a; b' --limit 100");
  });
});

describe("letters show", () => {
  it("shows a letter with its expiry and the plan that would take it", async () => {
    const { exitCode, out } = await run("letters", "show", "b", "--name", "grants");
    expect(exitCode).toBe(0);
    expect(out).toContain("Record b is a dead letter");
    expect(out).toMatch(/attempts +3 of 3, not replayed yet/);
    expect(out).toMatch(/expires +2026-02-14T02:55:00Z \(in 13d23h\)/);
    expect(out).toMatch(/reason +no item 5/);
    expect(out).toMatch(/Next: npx backlogorder replay plan grants --id b$/);
  });

  it.each([
    { id: "gone", state: "expired" },
    { id: "alive", state: "retrying" },
    { id: "a", state: "dead" },
  ])("tells that $id is $state", async ({ id, state }) => {
    const { out } = await run("letters", "show", id, "--name", "grants", "--json");
    expect(JSON.parse(out)).toMatchObject({ kind: "letters-show", letter: { id, state } });
  });

  it("cannot tell of a record that the ledger does not know", async () => {
    const { exitCode, errors } = await run("letters", "show", "nobody", "--name", "grants");
    expect(exitCode).toBe(3);
    expect(errors).toMatch(/\(unknown-record\).*no item of record `nobody`.*letters list grants/);
  });
});

describe("a command that cannot tell", () => {
  it.each([
    { words: [], errors: /Usage: backlogorder/ },
    { words: ["stats"], errors: /Did you mean status/ },
    { words: ["letters", "list", "grants", "--limit", "0"], errors: /from 1 and up/ },
    { words: ["letters", "list", "grants", "--since", "then"], errors: /bad-moment/ },
    { words: ["letters", "groups", "grants", "--partition", "64"], errors: /from 0 to 63/ },
    { words: ["status", "grants", "--nonsense"], errors: /unknown option '--nonsense'/ },
  ])("ends with 3 for $words, not with the code of a warning", async ({ words, errors }) => {
    const ended = await run(...words);
    expect(ended.exitCode).toBe(3);
    expect(ended.errors).toMatch(errors);
  });

  it("answers in JSON too, and says on the error stream what to do", async () => {
    const missing = Object.assign(new Error("no table"), { name: "ResourceNotFoundException" });
    dynamoDb.on(ScanCommand).rejects(missing).on(QueryCommand).rejects(missing);
    const { exitCode, out, errors } = await run("status", "grants", "--json");
    expect(exitCode).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ kind: "error", error: { code: "table-missing" } });
    expect(errors).toMatch(/^Cannot tell \(table-missing\): no table\. To do: .*deploy/);
  });

  it("helps without an error", async () => {
    const { exitCode, out } = await run("letters", "list", "--help");
    expect(exitCode).toBe(0);
    expect(out).toContain("--partition <number>");
  });
});
