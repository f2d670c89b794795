import { BatchGetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { OPERATIONS } from "../parameters.ts";
import { dynamoDb, run, setBacklog } from "../stage.ts";
import { DAY, NOW } from "./letters.ts";

const lambda = mockClient(LambdaClient);
const sts = mockClient(STSClient);

const WHO = "arn:aws:iam::123456789012:user/ann";

type Request = Readonly<Record<string, unknown>>;

let asked: { readonly functionName: string; readonly request: Request }[];

/** Both functions answer alike. */
function answers(answer: unknown, failed = false) {
  lambda.on(InvokeCommand).callsFake(async ({ FunctionName, Payload }) => {
    asked.push({ functionName: FunctionName, request: JSON.parse(Payload) });
    const body = { Payload: Buffer.from(JSON.stringify(answer)) };
    return failed ? { ...body, FunctionError: "Unhandled" } : body;
  });
}

beforeEach(() => {
  setBacklog({});
  for (const mock of [lambda, sts]) mock.reset();
  sts.on(GetCallerIdentityCommand).resolves({ Arn: WHO });
  asked = [];
});

const WHY = ["--why", "test account"];

describe("letters discard", () => {
  it("asks the function with the filter, and says what it did", async () => {
    answers({ runId: "r", discarded: ["a", "b"], errors: [], truncated: false });
    const words = ["--key", "ann", "--ticket", "T-1", "--yes", ...WHY];
    const { exitCode, out } = await run("letters", "discard", "grants", ...words);
    expect(asked).toEqual([
      {
        functionName: OPERATIONS.replay,
        request: {
          operation: "discard",
          requestedBy: WHO,
          why: "test account",
          ticket: "T-1",
          filter: { key: "ann" },
        },
      },
    ]);
    expect(out).toBe(
      "2 letters discarded; SQS keeps them until they expire\nNext: npx backlogorder letters discarded grants",
    );
    expect(exitCode).toBe(0);
  });

  it("ends with 1 where something is left, and shows the errors", async () => {
    answers({ runId: "r", discarded: [], errors: [{ id: "a", error: "no" }], truncated: true });
    const { exitCode, out } = await run("letters", "discard", "grants", "--all", "--yes", ...WHY);
    expect(out).toContain("  a: no\nMore letters may be left");
    expect(exitCode).toBe(1);
  });

  it.each([
    { why: "no filter", words: ["--yes", ...WHY], code: "no-filter" },
    { why: "no consent", words: ["--all", ...WHY], code: "not-confirmed" },
  ])("is refused with $why, and asks nothing of the function", async ({ words, code }) => {
    answers({});
    const { exitCode, errors } = await run("letters", "discard", "grants", ...words);
    expect(errors).toContain(`Refused (${code})`);
    expect(exitCode).toBe(2);
    expect(asked).toEqual([]);
  });

  it("takes an empty reason, as of an unset variable, for a mistake and not for every letter", async () => {
    answers({});
    const words = ["--reason", "", "--yes", ...WHY];
    const { exitCode, errors } = await run("letters", "discard", "grants", ...words);
    expect(errors).toContain("--reason");
    expect(exitCode).toBe(3);
    expect(asked).toEqual([]);
  });

  it.each([[], ["--why", " "]])("needs a reason: %j", async (...words) => {
    const { exitCode, errors } = await run("letters", "discard", "grants", "--all", ...words);
    expect(errors).toContain("--why");
    expect(exitCode).toBe(3);
  });
});

/** An item of a withheld record, and its mark. */
function setWithheld(...ids: readonly string[]) {
  setMarks(ids.map((id) => ({ id, failedAtMs: NOW - DAY })));
}

function setMarks(letters: readonly { readonly id: string; readonly failedAtMs: number }[]) {
  const ids = letters.map(({ id }) => id);
  const marks = letters.map(({ id, failedAtMs }) => ({
    failedAt: { N: String(failedAtMs) },
    id: { S: id },
    key: { S: "ann" },
    kind: { S: "discarded" },
    who: { S: WHO },
    why: { S: "test account" },
    actId: { S: "act" },
    at: { N: String(NOW - 3_600_000) },
    reason: { S: "no gold" },
  }));
  const items = ids.map((id) => ({ id: { S: id }, state: { S: "dead" }, withheld: { S: "x" } }));
  dynamoDb.on(QueryCommand).resolves({ Items: marks });
  dynamoDb.on(BatchGetItemCommand).resolves({ Responses: { ledger: items } });
}

describe("letters discarded and restore", () => {
  it("list what is withheld, by whom and why", async () => {
    setWithheld("a", "b");
    const { out } = await run("letters", "discarded", "grants");
    expect(out).toMatch(/^2 letters withheld from replays\n/);
    expect(out).toMatch(/ a +ann +discarded +1h ago +in 13d +arn\S+ann +test account +no gold/);
    const { out: json } = await run("letters", "discarded", "grants", "--json");
    expect(JSON.parse(json)).toMatchObject({
      kind: "letters-discarded",
      list: [{ id: "a", state: "discarded", who: WHO }, { id: "b" }],
    });
    answers({ restored: ["a", "b"], errors: [] });
    await run("letters", "restore", "--all", "--name", "grants", ...WHY);
    expect(asked[0]?.request).toMatchObject({ operation: "restore", ids: ["a", "b"] });
  });

  it("restore by id, and say what a replay would do with it next", async () => {
    answers({ restored: ["a"], errors: [] });
    const { out } = await run("letters", "restore", "a", "--name", "grants", ...WHY);
    expect(out).toContain("1 letter restored");
    expect(out).toContain("Next: npx backlogorder replay plan grants --id a");
  });

  it("print an id so that a shell takes it for an id", async () => {
    const id = "x; touch /tmp/pwned";
    answers({ restored: [id], errors: [] });
    const { out } = await run("letters", "restore", id, "--name", "grants", ...WHY);
    expect(out).toMatch(/Next: npx backlogorder replay plan grants --id 'x; touch \/tmp\/pwned'$/);
  });

  it("name those that SQS has deleted, and leave them out of all that can be restored", async () => {
    setMarks([
      { id: "gone", failedAtMs: NOW - 15 * DAY },
      { id: "kept", failedAtMs: NOW - DAY },
    ]);
    const { out } = await run("letters", "discarded", "grants");
    expect(out).toMatch(/^1 letter withheld from replays, 1 more has expired\n/);
    expect(out).toMatch(/ gone +ann +expired +/);
    const json = JSON.parse((await run("letters", "discarded", "grants", "--json")).out);
    expect(json.list).toMatchObject([
      { id: "gone", state: "discarded", expired: true, expiresAt: "2026-01-30T03:00:00.000Z" },
      { id: "kept", state: "discarded", expired: false },
    ]);
    answers({ restored: ["kept"], errors: [] });
    await run("letters", "restore", "--all", "--name", "grants", ...WHY);
    expect(asked[0]?.request).toMatchObject({ ids: ["kept"] });
  });

  it("say what was restored before a call failed, and what is not known", async () => {
    const ids = Array.from({ length: 2500 }, (_, index) => `id-${index}`);
    lambda.on(InvokeCommand).callsFake(async ({ Payload }) => {
      const request = JSON.parse(Payload);
      asked.push({ functionName: OPERATIONS.replay, request });
      if (asked.length === 2) throw Object.assign(new Error("reset"), { name: "TimeoutError" });
      return { Payload: Buffer.from(JSON.stringify({ restored: request.ids, errors: [] })) };
    });
    const words = ["--name", "grants", ...WHY, "--json"];
    const { exitCode, out } = await run("letters", "restore", ...ids, ...words);
    const { restored, errors } = JSON.parse(out);
    expect(exitCode).toBe(1);
    expect(restored).toHaveLength(1000);
    expect(errors).toHaveLength(1500);
    expect(errors[0]).toEqual({
      id: "id-1000",
      error: expect.stringMatching(/may be restored or not.*connection broke/),
    });
    expect(errors[1000]).toEqual({ id: "id-2000", error: expect.stringContaining("not asked") });
    expect(asked).toHaveLength(2);
  });

  it("ask in vain as a whole where the first call fails", async () => {
    answers({ errorType: "ReplayHeldError", errorMessage: "A replay is running" }, true);
    const { exitCode, errors } = await run("letters", "restore", "a", "--name", "grants", ...WHY);
    expect(errors).toContain("Refused (replay-running)");
    expect(exitCode).toBe(2);
  });

  it("refuse to restore where neither ids nor --all are given", async () => {
    const { exitCode, errors } = await run("letters", "restore", "--name", "grants", ...WHY);
    expect(errors).toContain("no-filter");
    expect(exitCode).toBe(2);
  });
});

it("letters renew asks with how near the end they are", async () => {
  answers({ runId: "r", renewed: ["a"], settled: ["b"], errors: [], truncated: false });
  const words = ["--all", "--expiring-within", "4d", ...WHY];
  const { out } = await run("letters", "renew", "grants", ...words);
  expect(asked[0]?.request).toMatchObject({
    operation: "renew",
    filter: {},
    expiringWithinSeconds: 345_600,
  });
  expect(out).toContain("1 letter renewed, 1 letter removed: their records were applied");
});

describe("letters show --payload, edit and purge", () => {
  const SHOWN = {
    id: "a",
    payload: "line 1\nline \u001b[31m2",
    payloadBase64: null,
    body: null,
    digest: "d".repeat(64),
    attributes: { shard: "7" },
    sentAtMs: NOW,
    copies: 1,
  };

  it("ask the payload function, and show nothing that moves the cursor", async () => {
    answers(SHOWN);
    const { out } = await run("letters", "show", "a", "--payload", "--name", "grants");
    expect(asked).toMatchObject([
      { functionName: OPERATIONS.payload, request: { operation: "show", id: "a" } },
    ]);
    expect(out).toContain("line 1\nline \\u{1b}[31m2\n");
    const { out: json } = await run(
      "letters",
      "show",
      "a",
      "--payload",
      "--name",
      "grants",
      "--json",
    );
    expect(JSON.parse(json)).toMatchObject({
      kind: "letters-payload",
      letter: { payload: SHOWN.payload, attributes: { shard: "7" } },
    });
  });

  it("send a new payload", async () => {
    const digests = { digestBefore: "a".repeat(64), digestAfter: "b".repeat(64) };
    answers({ runId: "r", id: "a", changed: true, ...digests });
    const words = ["a", "--payload", "{}", "--name", "grants", ...WHY];
    const { exitCode, out } = await run("letters", "edit", ...words);
    expect(asked[0]?.request).toMatchObject({ operation: "edit", id: "a", payload: "{}" });
    expect(out).toContain("aaaaaaaaaaaa -> bbbbbbbbbbbb");
    expect(exitCode).toBe(0);
  });

  it("say that a letter can be read now, where its text is the same", async () => {
    const digests = { digestBefore: "a".repeat(64), digestAfter: "a".repeat(64) };
    answers({ runId: "r", id: "a", changed: true, ...digests });
    const { out } = await run("letters", "edit", "a", "--payload", "x", "--name", "grants", ...WHY);
    expect(out).toMatch(/^Record a can be read now/);
  });

  it("read a new payload from a file, and say where they cannot", async () => {
    answers({ runId: "r", id: "a", changed: false, digestBefore: "", digestAfter: "" });
    const words = (file: string) => ["a", "--payload-file", file, "--name", "grants", ...WHY];
    await run("letters", "edit", ...words("package.json"));
    expect(Buffer.from(String(asked[0]?.request["payloadBase64"]), "base64").toString()).toContain(
      '"backlogorder"',
    );
    const { errors } = await run("letters", "edit", ...words("/no/such/file"));
    expect(errors).toContain("no-payload");
    expect((await run("letters", "edit", "a", "--name", "grants", ...WHY)).exitCode).toBe(3);
  });

  it("end with 2 and the function's own words where it refuses", async () => {
    answers({ errorType: "LetterRefusedError", errorMessage: "Not discarded. Nothing." }, true);
    const { exitCode, errors } = await run("letters", "purge", "a", "--name", "grants", ...WHY);
    expect(errors).toContain("Refused (letter-refused): Not discarded. Nothing");
    expect(exitCode).toBe(2);
  });

  it("say what a purge removed", async () => {
    answers({ runId: "r", id: "a", removed: 1 });
    const { out } = await run("letters", "purge", "a", "--name", "grants", ...WHY);
    expect(out).toContain("The letter of record a is deleted for good");
  });
});
