import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DAY, NOW } from "../letters/letters.ts";
import { run } from "../stage.ts";
import { plannedLetter, planOf, setReplay, WHO } from "./replay-stage.ts";

const MIXED = [
  plannedLetter({ id: "fine" }),
  plannedLetter({ id: "late", class: { kind: "overtaken", by: 7, atLeast: false } }),
  plannedLetter({ id: "later", class: { kind: "overtaken", by: 10_000, atLeast: true } }),
  plannedLetter({ id: "done", class: { kind: "applied" } }),
  plannedLetter({ id: "odd", key: "", class: { kind: "cannot-run", why: "its key is empty" } }),
  plannedLetter({ id: "behind", class: { kind: "held", behind: "first" } }),
  plannedLetter({ id: "gone", expiresAtMs: NOW - 2 * DAY, class: { kind: "expired" } }),
];

function folder() {
  const path = mkdtempSync(join(tmpdir(), "plan-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

describe("replay plan", () => {
  it("shows what is dangerous before what is ready, and the next command last", async () => {
    setReplay({ plan: planOf(MIXED) });
    const { exitCode, out } = await run("replay", "plan", "grants", "--all");
    const lines = out.split("\n");
    expect(exitCode).toBe(0);
    expect(lines[0]).toBe(
      "7 letters: 2 overtaken, 1 held behind, 1 cannot run, 1 expired, 1 already applied, 1 ready",
    );
    const titles = lines.filter((line) => /^[A-Z][a-z ]+: \d+\. /.test(line));
    expect(titles.map((line) => line.split(":")[0])).toEqual([
      "Overtaken",
      "Held behind",
      "Cannot run",
      "Expired",
      "Already applied",
      "Ready",
    ]);
    expect(out).toMatch(/^ +late +player:1 +1 +7 +5m ago +in 3d +no item <n>$/m);
    expect(out).toMatch(/^ +later .* at least 10,000 /m);
    expect(out).toContain("32-bit hash, which two keys can share");
    expect(out).toMatch(/^ +behind .* first +5m ago/m);
    expect(out).toContain("its key is empty");
    expect(out).toMatch(/^ +gone .* 2d ago +no item <n>$/m);
    expect(out).toContain("publish it again under a new id");
    expect(out).toContain("The first of them expires in 3d.");
    expect(out).toContain("digest d1d1d1d1d1d1; nothing was written");
    expect(lines.at(-1)).toBe(
      "Next: npx backlogorder replay run grants --all --why 'what was mended'",
    );
  });

  it("asks the function with the caller, and with times that are frozen", async () => {
    const requests = setReplay({ plan: planOf([plannedLetter()]) });
    const filter = ["--since", "2h", "--group", "0a1b2c3d", "--id", "a", "--id", "it's"];
    const { out } = await run("replay", "plan", "grants", ...filter, "--limit", "5");
    expect(requests).toEqual([
      {
        operation: "plan",
        requestedBy: WHO,
        filter: {
          ids: ["a", "it's"],
          group: "0a1b2c3d",
          failedAfter: Date.parse("2026-01-31T01:00:00Z"),
        },
        limit: 5,
        overtaken: false,
      },
    ]);
    const words = "--group 0a1b2c3d --since 2026-01-31T01:00:00Z --limit 5 --id a --id 'it'\\''s'";
    expect(out).toContain(`Filter: ${words}`);
    expect(out).toContain(`Next: npx backlogorder replay run grants ${words} --why`);
  });

  it.each(["-x", "--json", "--"])("takes `%s` behind `--id` for an id", async (id) => {
    const requests = setReplay({ plan: planOf([plannedLetter()]) });
    await run("replay", "plan", "grants", "--id", id);
    expect(requests).toMatchObject([{ filter: { ids: [id] } }]);
  });

  it("says of a letter whose time has just ended that it may go at any moment", async () => {
    setReplay({ plan: planOf([plannedLetter({ expiresAtMs: NOW - 1 })]) });
    const { out } = await run("replay", "plan", "grants", "--all");
    expect(out).toMatch(/^ +a .* at any moment +no item <n>$/m);
    expect(out).toContain("The first of them expires at any moment.");
  });

  it("prints moments to the millisecond, so that the command takes the same letters", async () => {
    setReplay({ plan: planOf([plannedLetter()]) });
    const since = ["--since", "2026-01-31T01:00:00.250Z"];
    const { out } = await run("replay", "plan", "grants", ...since);
    expect(out).toContain(`Next: npx backlogorder replay run grants ${since.join(" ")} --why`);
  });

  it.each([
    { words: [], code: "no-filter", remedy: /`--all`/ },
    { words: ["--limit", "3"], code: "no-filter", remedy: /`--all`/ },
    { words: ["--all", "--key", "k"], code: "all-and-filter", remedy: /leave `--all` out/ },
  ])("refuses $words with one line ($code)", async ({ words, code, remedy }) => {
    const requests = setReplay({});
    const { exitCode, out, errors } = await run("replay", "plan", "grants", ...words);
    expect(exitCode).toBe(2);
    expect(errors).toMatch(new RegExp(`^Refused \\(${code}\\): [^\\n]+$`));
    expect(errors).toMatch(remedy);
    expect(out).toBe("");
    expect(requests).toEqual([]);
  });

  it.each(["--reason", "--key", "--group", "--id"])(
    "refuses an empty %s, as of a variable that is not set",
    async (option) => {
      const requests = setReplay({ plan: planOf(MIXED) });
      const { exitCode, errors } = await run("replay", "plan", "grants", option, "");
      expect(exitCode).toBe(3);
      expect(errors).toContain(option);
      expect(errors).toContain("got an empty text");
      expect(requests).toEqual([]);
    },
  );

  it("prints the file that it writes, and leads to a run of it", async () => {
    setReplay({ plan: planOf(MIXED) });
    const path = join(folder(), "plan.json");
    const { out } = await run("replay", "plan", "grants", "--all", "--out", path);
    expect(out).toContain(`Next: npx backlogorder replay run grants --plan ${path} --why`);
    const { out: json } = await run("replay", "plan", "grants", "--all", "--json");
    expect(readFileSync(path, "utf8")).toBe(`${json}\n`);
    expect(JSON.parse(json)).toMatchObject({
      version: 1,
      kind: "replay-plan",
      backlog: "grants",
      takenAt: "2026-01-31T02:59:59.000Z",
      ledger: "ledger",
      filter: { key: null, group: null, since: null },
      limit: null,
      overtaken: false,
      counts: { ready: 1, overtaken: 2, applied: 1, cannotRun: 1, held: 1, expired: 1 },
      nearestExpiry: "2026-02-03T03:00:00.000Z",
    });
    expect(JSON.parse(json).letters[1]).toMatchObject({
      id: "late",
      group: "38f391a7",
      failedAt: "2026-01-31T02:55:00.000Z",
      class: { kind: "overtaken", by: 7, atLeast: false },
    });
  });

  it.each([
    {
      why: "all are overtaken",
      letters: [plannedLetter({ class: { kind: "overtaken", by: 1, atLeast: false } })],
      next: "replay plan grants --all --overtaken",
    },
    { why: "there is none", letters: [], next: "letters groups grants" },
    {
      why: "SQS has deleted them all",
      letters: [plannedLetter({ class: { kind: "expired" } })],
      next: "letters groups grants",
    },
    {
      why: "all can only be kept",
      letters: [plannedLetter({ class: { kind: "held", behind: "x" } })],
      next: "letters groups grants",
    },
  ])("leads elsewhere than to a run where $why", async ({ letters, next }) => {
    setReplay({ plan: planOf(letters) });
    const { out } = await run("replay", "plan", "grants", "--all");
    expect(out.split("\n").at(-1)).toBe(`Next: npx backlogorder ${next}`);
  });

  it("says what it does not cover", async () => {
    setReplay({ plan: planOf([plannedLetter()], { notListed: 2, unknown: 1, truncated: true }) });
    const { out } = await run("replay", "plan", "grants", "--all");
    expect(out).toContain("about 2 more that the ledger does not list");
    expect(out).toContain("More letters match than the plan covers");
    expect(out).toContain("Nothing tells whether later records of their keys overtook 1 of them");
  });

  it("cannot tell where the file cannot be written", async () => {
    setReplay({ plan: planOf([plannedLetter()]) });
    const path = join(folder(), "no/such/plan.json");
    const { exitCode, errors } = await run("replay", "plan", "grants", "--all", "--out", path);
    expect(exitCode).toBe(3);
    expect(errors).toMatch(/^Cannot tell \(bad-plan-file\): .*ENOENT/);
  });
});
