import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import { cloudWatch, dynamoDb, run, sqs, ssm } from "../stage.ts";
import { publishInput, setQueue } from "./publish-stage.ts";

function lineOf(fields: object): string {
  return `${JSON.stringify(fields)}\n`;
}

describe("publish", () => {
  it("publishes every line in its order, and counts partitions", async () => {
    const { taken } = setQueue();
    const payloads = Array.from({ length: 2500 }, (_, n) => `größe ${n}`);
    const input = payloads.map((payload) => lineOf({ key: "player:1", payload })).join("");
    const { exitCode, out, progress } = await publishInput(`\ufeff${input}\r\n\n`);
    expect(taken).toEqual(payloads);
    expect(out).toMatch(/^2,500 records published, of 2,502 lines\n/);
    expect(out).toContain("By partition: 1 of 64 used, 2,500 records each");
    expect(out).toMatch(/Next: npx backlogorder status grants$/);
    expect(progress).toEqual([1000, 2000, 2500]);
    expect(exitCode).toBe(0);
  });

  it("asks AWS for nothing but what the publisher policy allows", async () => {
    setQueue();
    await publishInput(lineOf({ key: "a", payload: "1" }));
    expect(ssm.calls().map(({ firstArg }) => [firstArg.constructor.name, firstArg.input])).toEqual([
      ["GetParameterCommand", { Name: "/backlogorder/grants" }],
    ]);
    expect(sqs.calls()).toHaveLength(sqs.commandCalls(SendMessageBatchCommand).length);
    expect([...dynamoDb.calls(), ...cloudWatch.calls()]).toEqual([]);
  });

  it("leaves refused lines out, says which and why, and ends with 1", async () => {
    const { taken } = setQueue();
    const lines = [
      lineOf({ key: "a", payload: "1" }),
      "{\n",
      lineOf({ key: "", payload: "2" }),
      lineOf({ key: "a", payload: "3", id: "bad\u0000id" }),
      lineOf({ key: "a", payload: "4" }),
    ];
    const { exitCode, out } = await publishInput(lines.join(""));
    expect(taken.toSorted()).toEqual(["1", "4"]);
    expect(out).toMatch(/^2 records published, of 5 lines\n/);
    expect(out).toContain("Refused: 3 lines");
    expect(out).toMatch(/line 2: expected one JSON object on the line/);
    expect(out).toMatch(/line 3: expected `key` to name what order is kept for/);
    expect(out).toMatch(/line 4 \(bad\\u\{0\}id\): expected `id` to be/);
    expect(exitCode).toBe(1);
  });

  it("refuses a line that is not UTF-8 or far too long, and goes on", async () => {
    const { taken } = setQueue();
    async function* input() {
      yield Buffer.from('{"key":"a","payload":"');
      yield Buffer.from([0xff]);
      yield Buffer.from('"}\n');
      for (let megabyte = 0; megabyte < 9; megabyte += 1) yield Buffer.alloc(1024 * 1024, "x");
      yield Buffer.from(`\n${lineOf({ key: "a", payload: "last" }).trimEnd()}`);
    }
    const { out } = await publishInput(input());
    expect(taken).toEqual(["last"]);
    expect(out).toMatch(/line 1: expected UTF-8/);
    expect(out).toMatch(/line 2: expected a line of at most 8,388,608 bytes/);
  });

  it("lists a hundred refused lines and counts the rest", async () => {
    setQueue();
    const { out } = await publishInput("x\n".repeat(2345), { json: true });
    const { refused, refusedLines, lines } = JSON.parse(out);
    expect({ refused, lines, listed: refusedLines.length }).toEqual({
      refused: 2345,
      lines: 2345,
      listed: 100,
    });
    expect(refusedLines[99]).toMatchObject({ line: 100, id: null });
  });

  it("stops behind a record that SQS denies, and says from where on nothing was read", async () => {
    const { taken } = setQueue("poison");
    const payloads = Array.from({ length: 3000 }, (_, n) => (n === 500 ? "poison" : `p${n}`));
    const input = payloads.map((payload, n) => lineOf({ key: "k", payload, id: `id-${n}` }));
    const { exitCode, out } = await publishInput(input.join(""), { json: true });
    const answer = JSON.parse(out);
    expect(taken).toEqual(payloads.slice(0, 500));
    expect(answer).toMatchObject({ published: 500, lines: 1000, nextLine: 1001, refused: 0 });
    expect(answer.failed).toMatchObject([{ line: 501, id: "id-500", arrived: "no" }]);
    expect(answer.unsent).toHaveLength(499);
    expect(answer.unsent[0]).toMatchObject({ line: 502, id: "id-501" });
    expect(exitCode).toBe(3);
  });

  it("shows every id that it made for a line which must be published again", async () => {
    setQueue("poison");
    const keys = Array.from({ length: 40 }, (_, n) => `player:${n}`);
    const input = keys.map((key) => lineOf({ key, payload: "poison" })).join("");
    const { out } = await publishInput(input);
    for (const line of keys.keys()) {
      expect(out).toMatch(new RegExp(`^  line ${line + 1} \\([0-9a-f]{8}-[0-9a-f-]{27}\\): `, "m"));
    }
  });

  it("shows the first of many refused lines and counts the rest", async () => {
    setQueue();
    const { out } = await publishInput("x\n".repeat(50));
    expect(out).toContain("Refused: 50 lines");
    expect(out).toContain("  line 20: ");
    expect(out).not.toContain("  line 21: ");
    expect(out).toContain("  and 30 more");
  });

  it("makes the ids that it shows, so that a repeat publishes nothing twice", async () => {
    setQueue("poison");
    const { out } = await publishInput(lineOf({ key: "k", payload: "poison" }));
    expect(out).toMatch(/line 1 \([0-9a-f]{8}-[0-9a-f-]{27}\): .*SQS does not have it/);
    expect(out).toContain("Stopped: nothing was read from line 2 on.");
  });

  it("sends a repeated id in a call of its own, as SQS would take it", async () => {
    const { taken } = setQueue();
    const line = lineOf({ key: "k", payload: "same", id: "one" });
    const { exitCode } = await publishInput(line.repeat(2));
    expect(taken).toEqual(["same", "same"]);
    expect(exitCode).toBe(0);
  });

  it("publishes what was read when Ctrl-C comes, though the pipe stays silent", async () => {
    const { taken } = setQueue();
    const interrupt = Promise.withResolvers<void>();
    async function* input() {
      yield Buffer.from(lineOf({ key: "k", payload: "1" }));
      interrupt.resolve();
      await new Promise(() => undefined);
    }
    const { exitCode, out } = await publishInput(input(), { interruptAfter: interrupt.promise });
    expect(taken).toEqual(["1"]);
    expect(out).toContain("Stopped: nothing was read from line 2 on. Publish the rest.");
    expect(exitCode).toBe(3);
  });

  it.each([
    { ends: "stays silent", rest: () => new Promise<void>(() => undefined) },
    // What feeds a pipe hears the same Ctrl-C, and its end may be seen first.
    { ends: "ends with its writer", rest: () => Promise.resolve() },
  ])(
    "takes no part of a line for a line when Ctrl-C comes and the pipe $ends",
    async ({ rest }) => {
      const { taken } = setQueue();
      const interrupt = Promise.withResolvers<void>();
      const whole = lineOf({ key: "k", payload: "1" });
      async function* input() {
        yield Buffer.from(`${whole}${whole.slice(0, 9)}`);
        setImmediate(() => interrupt.resolve());
        await rest();
      }
      const { exitCode, out } = await publishInput(input(), {
        interruptAfter: interrupt.promise,
        json: true,
      });
      expect(taken).toEqual(["1"]);
      expect(JSON.parse(out)).toMatchObject({
        lines: 1,
        refused: 0,
        interrupted: true,
        nextLine: 2,
      });
      expect(exitCode).toBe(3);
    },
  );

  it("takes the last line of an input that ends of itself, its end of line left out", async () => {
    const { taken } = setQueue();
    const { out } = await publishInput(lineOf({ key: "k", payload: "1" }).trimEnd(), {
      json: true,
    });
    expect(taken).toEqual(["1"]);
    expect(JSON.parse(out)).toMatchObject({ lines: 1, interrupted: false, nextLine: null });
  });

  it("says from which line on nothing is published where the input breaks off", async () => {
    const { taken } = setQueue();
    const lines = Array.from({ length: 1500 }, (_, n) => lineOf({ key: "k", payload: `${n}` }));
    async function* input() {
      yield Buffer.from(lines.join(""));
      throw new Error("EIO: i/o error, read");
    }
    await expect(publishInput(input())).rejects.toMatchObject({
      code: "bad-file",
      message:
        "Expected a file of NDJSON lines, got from `stdin`: EIO: i/o error, read; lines 1 to 1000 are dealt with (1,000 published, 0 refused), and nothing from line 1001 on",
    });
    expect(taken).toHaveLength(1000);
  });

  it("reads no further than one chunk ahead, whatever the size of the input", async () => {
    setQueue();
    let given = 0;
    let ahead = 0;
    async function* input() {
      const chunk = Buffer.from("\n".repeat(10_000));
      for (; given < 10; given += 1) {
        ahead = Math.max(ahead, given * 10_000 - seen);
        yield chunk;
      }
    }
    let seen = 0;
    const onChunk = () => {
      seen += 1000;
    };
    const { out } = await publishInput(input(), { onChunk, json: true });
    expect(JSON.parse(out)).toMatchObject({ lines: 100_000, published: 0 });
    expect(ahead).toBeLessThanOrEqual(10_000);
  });
});

describe("publish --dry-run", () => {
  it("checks and counts a file, and sends nothing", async () => {
    setQueue();
    const folder = mkdtempSync(join(tmpdir(), "publish-"));
    const file = join(folder, "events.ndjson");
    writeFileSync(
      file,
      `${lineOf({ key: "a", payload: 1 })}${lineOf({ key: "b", payload: 2 })}no\n`,
    );
    const { exitCode, out } = await run("publish", "grants", file, "--dry-run", "--json");
    rmSync(folder, { recursive: true });
    expect(JSON.parse(out)).toMatchObject({
      kind: "publish",
      dryRun: true,
      published: 2,
      refused: 1,
      byPartition: [{ count: 1 }, { count: 1 }],
      nextLine: null,
      next: `npx backlogorder publish grants ${file}`,
    });
    expect(sqs.commandCalls(SendMessageBatchCommand)).toEqual([]);
    expect(exitCode).toBe(1);
  });

  it("says which file cannot be read", async () => {
    setQueue();
    const { exitCode, errors } = await run("publish", "grants", "/nowhere/events.ndjson");
    expect(errors).toMatch(/^Cannot tell \(bad-file\): .*\/nowhere\/events\.ndjson/);
    expect(exitCode).toBe(3);
  });
});
