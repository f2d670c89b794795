import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { QueryCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { publishText } from "../../cli/publish/publish-text.ts";
import { emptyTotals } from "../../cli/publish/publish-totals.ts";
import { printable } from "../../cli/terminal/printable.ts";
import { partitionOf } from "../../lambdas/core/partition.ts";
import { deadItem, NOW } from "./letters/letters.ts";
import { actItem, setPartition } from "./partitions/partition-stage.ts";
import { dynamoDb, run, setBacklog } from "./stage.ts";

/** Ids and keys with what a shell, a terminal or the command's own options would take otherwise. */
const HOSTILE = ["it's $(id); `x`", "a\u200db\u001b[31m", "-x", "--json", "two  spaces "];

/** Arguments of an answer's next command, as a shell hands them on. */
function nextOf({ out }: { readonly out: string }): readonly string[] {
  const [, words] = /\nNext: npx backlogorder (.*)$/.exec(out) ?? [];
  const read = execFileSync("bash", ["-c", `printf '%s\\0' ${words}`]).toString();
  return read.split("\0").slice(0, -1);
}

/** What an id or key comes to in the JSON answer of the next command, typed as it was shown. */
async function answerTo(words: readonly string[]) {
  const end = words.indexOf("--");
  const typed = end < 0 ? [...words, "--json"] : words.toSpliced(end, 0, "--json");
  const { out, errors } = await run(...typed);
  expect(errors).toBe("");
  return JSON.parse(out);
}

describe.each(HOSTILE)("the next command about %j", (hostile) => {
  const head = deadItem({ id: hostile, state: "retrying", key: hostile });
  const ofHead = { waiting: 1, open: [head], record: head };

  it("leads from `partitions` to the head's own trace", async () => {
    setPartition(ofHead);
    const next = nextOf(await run("partitions", "grants"));
    expect(await answerTo(next)).toMatchObject({ kind: "trace", backlog: "grants", id: hostile });
  });

  it("leads from `trace` to the record's own key", async () => {
    setPartition(ofHead);
    const trace = await run("trace", "--name", "grants", "--", hostile);
    expect(await answerTo(nextOf(trace))).toMatchObject({ kind: "explain", key: hostile });
  });

  it("leads from `trace` of an unknown id to the same id", async () => {
    setPartition({});
    const trace = await run("trace", "--name", "grants", "--", hostile);
    expect(await answerTo(nextOf(trace))).toMatchObject({ kind: "trace", id: hostile });
  });

  it("leads from `explain` to the head's own trace, and to the letters of the key", async () => {
    const partition = partitionOf(hostile, 64);
    setPartition({ ...ofHead, open: [{ ...head, partition }] });
    const blocked = await run("explain", "grants", "--key", hostile);
    expect(await answerTo(nextOf(blocked))).toMatchObject({ kind: "trace", id: hostile });

    setBacklog({ held: 1 });
    setPartition({ held: 1, open: [deadItem({ key: hostile, partition })] });
    const dead = await run("explain", "grants", "--key", hostile);
    expect(nextOf(dead)).toEqual(["letters", "list", "grants", "--key", hostile]);
  });

  it("leads from `acts list` to the act", async () => {
    const act = actItem(hostile, NOW - 1000, { id: "a", outcome: "failed" });
    setPartition({});
    dynamoDb.on(QueryCommand).resolves({ Items: [act.act] });
    const next = nextOf(await run("acts", "list", "grants"));
    // No act can have such an id, and the answer says which it looked for.
    expect((await run(...next)).errors).toContain(`has no act \`${printable(hostile)}\`,`);
  });

  it("leads from a dry run to the file that was checked", async () => {
    const folder = mkdtempSync(join(tmpdir(), "publish-"));
    const file = join(folder, hostile);
    writeFileSync(file, `${JSON.stringify({ key: "a", payload: "1" })}\n`);
    setBacklog({});
    const next = nextOf(await run("publish", "grants", file, "--dry-run"));
    rmSync(folder, { recursive: true });
    expect(next).toEqual(["publish", "grants", file]);
  });
});

it("leads to a file whose name looks like an option", () => {
  const end = { dryRun: true, interrupted: false, file: "-events" };
  const place = { name: "grants", region: "eu-west-1", partitions: 4, queueUrl: "q.fifo" };
  const terminal = { write: () => undefined, width: undefined, paint: (_: string, t: string) => t };
  const out = publishText(emptyTotals(4), end, place, terminal);
  expect(nextOf({ out })).toEqual(["publish", "grants", "./-events"]);
});
