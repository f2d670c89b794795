import { QueryCommand } from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, it } from "vitest";
import { MINUTE, NOW } from "../letters/letters.ts";
import { dynamoDb, run, setBacklog } from "../stage.ts";

const ID = "019c115d-1000-7000-8000-000000000001";

const stored = (given: Readonly<Record<string, unknown>> = {}) => ({
  actId: { S: ID },
  operation: { S: "replay" },
  who: { S: "arn:aws:iam::1:user/ann" },
  why: { S: "shop is back" },
  ticket: { S: "T-1" },
  planDigest: { NULL: true },
  filter: { S: '{"partition":3}' },
  state: { S: "done" },
  startedAtMs: { N: String(NOW - 5 * MINUTE) },
  endsByMs: { N: String(NOW - MINUTE) },
  endedAtMs: { N: String(NOW - 4 * MINUTE) },
  counts: { S: '{"replayed":3,"failed":1,"pending":0}' },
  omitted: { N: "2" },
  ...given,
});

const LETTERS = [{ id: "a", outcome: "failed", oldReason: "no gold", newReason: "no shop" }];

function setActs(...items: readonly Readonly<Record<string, unknown>>[]) {
  dynamoDb.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => {
    if (values[":acts"] !== undefined) return { Items: items };
    return values[":pk"].S === "acts"
      ? { Items: items }
      : { Items: [{ letters: { S: JSON.stringify(LETTERS) } }] };
  });
}

beforeEach(() => setBacklog({}));

describe("acts list", () => {
  it("shows who did what, why, and what it came to", async () => {
    setActs(stored());
    const { exitCode, out } = await run("acts", "list", "grants");
    expect(out).toMatch(/^1 act\n/);
    expect(out).toMatch(
      new RegExp(`${ID} +5m ago +replay +done +3 replayed, 1 failed +arn\\S+ann +shop is back`),
    );
    expect(out).toContain(`Next: npx backlogorder acts show ${ID} --name grants`);
    expect(exitCode).toBe(0);
  });

  it("calls an act interrupted whose function must have ended", async () => {
    setActs(stored({ state: { S: "running" }, endedAtMs: { NULL: true } }));
    const { out } = await run("acts", "list", "grants", "--json");
    expect(JSON.parse(out)).toMatchObject({
      kind: "acts-list",
      acts: [{ actId: ID, state: "interrupted", endedAt: null, ticket: "T-1" }],
    });
  });

  it("says where there is none", async () => {
    setActs();
    expect((await run("acts", "list", "grants")).out).toMatch(/^No acts are on record\n/);
  });
});

describe("acts show", () => {
  it("shows each letter with its reason before and after", async () => {
    setActs(stored());
    const { out } = await run("acts", "show", ID, "--name", "grants");
    expect(out).toContain(`Act ${ID}: replay, done`);
    expect(out).toMatch(/ticket +T-1\n/);
    expect(out).toMatch(/took +1m\n/);
    expect(out).toMatch(/a +failed +no gold -> no shop/);
    expect(out).toContain("and 2 more letters");
  });

  it("answers in JSON", async () => {
    setActs(stored());
    const { out } = await run("acts", "show", ID, "--name", "grants", "--json");
    expect(JSON.parse(out)).toMatchObject({
      kind: "acts-show",
      act: { actId: ID, filter: { partition: 3 }, letters: LETTERS, omitted: 2 },
    });
  });

  it.each(["x", ID])("says of %s that there is none", async (id) => {
    setActs();
    const { exitCode, errors } = await run("acts", "show", id, "--name", "grants");
    expect(errors).toContain("unknown-act");
    expect(exitCode).toBe(3);
  });
});
