import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { toEnvironment } from "../../lambdas/core/environment.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import { batchVerdict } from "../../local/lambda/partial-response.ts";
import { functionOf } from "../local/lambda/function-bundle.ts";
import { mappedQueue } from "../local/lambda/mapped-queue.ts";
import { type EmbeddedStage, embeddedStage } from "./embedded-stage.ts";

let at: EmbeddedStage;

const LONG = ["x".repeat(129), "x".repeat(2049), "x".repeat(10_000)];
const ODD = ["🎮".repeat(40), "a b", "k\u0000k", `${"y".repeat(199)}1`, `${"y".repeat(199)}2`];
const MEMBERS = ["__proto__", "constructor", "toString", "hasOwnProperty"];
const BYTES = new Uint8Array([0, 7, 0x1f, 0x8b, 0xff, 0xfe]);
const ZIPPED = new Uint8Array([0x1f, 0x8b, 8, 0, 0xff]);

// All cases share one run: what one asks of a partition must not disturb another's.
beforeAll(async () => {
  at = await embeddedStage();
  const poison = (id: string, key: string) => ({ id, key, payload: "poison" });
  const sound = (id: string, key: string) => ({ id, key, payload: "sound" });
  await at.sendTogether([poison("A", "hello"), sound("B", "hello"), sound("C", "hello")]);
  await at.sendTogether([
    {
      ...{ id: "unreadable", key: "order-2", payload: "-", body: "!!!not base64!!!" },
      more: { encoding: { dataType: "String", stringValue: "base64" } },
    },
    sound("behind unreadable", "order-2"),
    { id: "no JSON", key: "a", payload: "{" },
    sound("behind no JSON", "a"),
    sound("elsewhere", "é"),
  ]);
  await at.publish([
    ...["9", "23", "30", "25", "36"].map((n) =>
      n === "9" ? poison("player:9", "player:9") : sound(`player:${n}`, `player:${n}`),
    ),
    ...MEMBERS.map((key) => ({
      ...{ id: `member ${key}`, key, payload: key === "constructor" ? "poison" : "sound" },
      attributes: { constructor: { dataType: "String", stringValue: "own" } },
    })),
    ...[...LONG, ...ODD].map((key, n) => sound(`key ${n}`, key)),
    { id: "bytes", key: "é", payload: BYTES },
    { id: "zipped", key: "é", payload: ZIPPED },
    { id: "empty", key: "é", payload: "" },
    { id: "digits", key: "中", payload: '{"coins":9007199254740993}' },
    ...["e1", "e2", "e3", "e4"].map((id) => sound(id, "Я")),
  ]);
  await at.settled();
}, 60_000);

afterAll(() => at?.close());

const attemptsOf = (id: string) => at.callsOf(id).map(({ attempt }) => attempt);

const letterIds = async () =>
  (await at.letters()).map(({ MessageAttributes }) => MessageAttributes?.["id"]?.StringValue);

it("C02, C09: calls a poison record three times, isolates it alone, and then those behind it once", async () => {
  expect(attemptsOf("A")).toEqual([1, 2, 3]);
  expect([attemptsOf("B"), attemptsOf("C")]).toEqual([[1], [1]]);
  expect((await letterIds()).toSorted()).toEqual(
    ["A", "member constructor", "no JSON", "player:9", "unreadable"].toSorted(),
  );
});

it("C06: isolates a message that cannot be read at once, untouched, and holds up nobody", async () => {
  expect(at.callsOf("unreadable")).toEqual([]);
  expect([attemptsOf("behind unreadable"), attemptsOf("elsewhere")]).toEqual([[1], [1]]);
  const bodies = (await at.letters()).map(({ Body }) => Body);
  expect(bodies).toContain("!!!not base64!!!");
  const { errors } = await at.replay({ filter: { ids: ["unreadable"] } });
  expect(errors).toEqual([{ id: "unreadable", error: expect.stringContaining("malformed") }]);
  expect(await letterIds()).toContain("unreadable");
});

it("C06: leaves a body that the game cannot parse to the game, and isolates it after three tries", async () => {
  expect(attemptsOf("no JSON")).toEqual([1, 2, 3]);
  expect(attemptsOf("behind no JSON")).toEqual([1]);
  expect((await at.letters()).map(({ Body }) => Body)).toContain("{");
});

it("C14: delivers a later record of a key whose letter waits", async () => {
  await at.publish([{ id: "E", key: "hello", payload: "sound" }]);
  await at.settled();
  expect(attemptsOf("E")).toEqual([1]);
  expect(await letterIds()).toContain("A");
});

it("C35: treats keys and attributes named like members of an object as any other", () => {
  expect(MEMBERS.map((key) => attemptsOf(`member ${key}`))).toEqual([[1], [1, 2, 3], [1], [1]]);
  for (const key of MEMBERS) {
    expect(at.callsOf(`member ${key}`)[0]).toMatchObject({ key, attributes: ["constructor"] });
  }
});

it("C36: delivers keys of any length and script", () => {
  for (const [n, key] of [...LONG, ...ODD].entries()) {
    expect(at.callsOf(`key ${n}`)).toMatchObject([{ key }]);
  }
});

it("C38, C39: gives the handler the bytes and digits that were published", () => {
  expect(at.callsOf("bytes")).toMatchObject([{ bytes: "00071f8bfffe" }]);
  expect(at.callsOf("zipped")).toMatchObject([{ bytes: "1f8b0800ff" }]);
  expect(at.callsOf("empty")).toMatchObject([{ bytes: "" }]);
  const digits = Buffer.from('{"coins":9007199254740993}').toString("hex");
  expect(at.callsOf("digits")).toMatchObject([{ bytes: digits }]);
});

it("C41: delivers four records of equal payloads as four, in order", () => {
  const equal = at.calls.filter(({ key }) => key === "Я").map(({ called }) => called);
  expect(equal).toEqual(["e1", "e2", "e3", "e4"]);
});

it("C48: a poison record holds up those of its partition until it is isolated, and no other", () => {
  const lastTryMs = at.callsOf("player:9")[2]?.atMs ?? Number.NaN;
  const calledAtMs = (id: string) => at.callsOf(id)[0]?.atMs ?? Number.NaN;
  for (const id of ["player:23", "player:30"]) {
    expect(calledAtMs(id)).toBeGreaterThanOrEqual(lastTryMs);
  }
  for (const id of ["player:25", "player:36"]) expect(calledAtMs(id)).toBeLessThan(lastTryMs);
});

it("C51: the consumer's bundle starts in an empty folder and answers an empty batch", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bundle-alone-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  copyFileSync(join(at.bundle, "index.mjs"), join(folder, "index.mjs"));
  const program = `
    const { handler } = await import("./index.mjs");
    const context = { awsRequestId: "1", getRemainingTimeInMillis: () => 60_000 };
    console.log("answer " + JSON.stringify(await handler({ Records: [] }, context)));`;
  const env = {
    AWS_REGION: "us-east-1",
    ...toEnvironment({
      settings: settingsOf(),
      sourceUrl: "http://127.0.0.1:1/source.fifo",
      letterQueueUrl: "http://127.0.0.1:1/letters.fifo",
      ledgerTable: "ledger",
    }),
  };
  const flags = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: folder, env });
  expect(stdout).toContain('answer {"batchItemFailures":[]}');
});

it("C05: an answer that names an unknown message deletes nothing", {
  timeout: 20_000,
}, async () => {
  const queue = await mappedQueue(
    functionOf(`
      console.log(JSON.stringify(event.Records.map((r) => r.body + r.attributes.ApproximateReceiveCount)));
      return { batchItemFailures: [{ itemIdentifier: "nope" }] };`),
  );
  await queue.send("a", "b");
  await queue.timeOut({ invocations: 1, waiting: 2 });
  await vi.waitFor(() => expect(queue.seen).toContainEqual(["a2", "b2"]), { timeout: 10_000 });
  expect(await queue.waiting()).toBe(2);
});

it("C05: reads no failure out of a list in another case of letters", () => {
  const answer = { BatchItemFailures: [{ itemIdentifier: "a" }] };
  expect(batchVerdict(answer, new Set(["a"]))).toEqual({ kind: "some", failedIds: new Set() });
});
