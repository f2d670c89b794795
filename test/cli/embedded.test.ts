import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DynamoLedger } from "../../lambdas/aws/ledger/ledger.ts";
import { queueMetrics } from "../../local/cloudwatch/queue-metrics.ts";
import { startBacklog, TABLE } from "./embedded.ts";
import { DAY, MINUTE } from "./letters/letters.ts";

let backlog: Awaited<ReturnType<typeof startBacklog>>;

beforeAll(async () => {
  backlog = await startBacklog("grants");
  await fill();
}, 30_000);

afterAll(() => backlog.close());

/** One head that failed, a record behind it, two letters that the consumer sent and one that SQS
 *  moved, which the ledger does not list. */
async function fill() {
  const nowMs = Date.now();
  const ledger = new DynamoLedger({
    client: backlog.dynamoDbClient,
    table: TABLE,
    nowMs: () => nowMs,
    memorySeconds: (32 * DAY) / 1000,
  });
  const recordOf = (id: string, partition: number, offset: string, ageMs: number) => ({
    id,
    key: `player:${id}`,
    partition,
    offset,
    enqueuedAtMs: nowMs - ageMs,
    generation: 0,
  });
  const failure = (reason: string) => ({ reason, failedAtMs: nowMs });
  await Promise.all([
    backlog.send("source", "7", "head"),
    backlog.send("source", "7", "behind"),
    backlog.send("letters", "dead-1", "dead-1"),
    backlog.send("letters", "dead-2", "dead-2"),
    backlog.send("letters", "9", "moved"),
    ledger.count(
      recordOf("head", 7, "5", 14 * MINUTE),
      { attempts: 1, attemptId: "x", messageId: "m-head" },
      failure("wallet is locked"),
    ),
    ...["1", "2"].map((each) =>
      ledger.markDead(recordOf(`dead-${each}`, 3, each, 20 * MINUTE), {
        ...failure(`no item ${each}`),
        attempts: 3,
        messageId: `m-${each}`,
      }),
    ),
  ]);
  for (const sample of backlog.sqs.sample()) {
    for (const datum of queueMetrics(undefined, sample, nowMs)) backlog.cloudWatch.record(datum);
  }
}

describe("the command as a process, against the embedded services", { timeout: 60_000 }, () => {
  it("pages with the blocked head, the estimate and the letters", async () => {
    const { exitCode, out, errors } = await backlog.command(["status", "grants"]);
    expect(errors).toBe("");
    expect(out).toMatch(/^PAGE oldest 14m\d*s?, partition 7 of 64, page line 10m\n/);
    expect(out).toMatch(/Waiting: 2 records, 4 B \(estimate\), oldest 14m/);
    expect(out).toMatch(/7 +14m\d*s? +1 of 3 +head +player:head +\w+ +wallet is locked/);
    expect(out).toMatch(/Dead letters: 3, the first expires in 13d23h/);
    expect(out).toMatch(/ 2 +2 +3 .* no item <n>/);
    expect(out).toContain("holds 1 more that the ledger does not list");
    expect(out).not.toContain("\u001b");
    expect(exitCode).toBe(2);
  });

  it("lists and shows letters in JSON", async () => {
    const list = await backlog.command(["letters", "list", "grants", "--partition", "3", "--json"]);
    expect(list.exitCode).toBe(0);
    expect(JSON.parse(list.out)).toMatchObject({
      region: "us-east-1",
      matched: 2,
      letters: { held: 3, listed: 2, notListed: 1 },
      list: [{ partition: 3 }, { partition: 3 }],
    });
    const show = await backlog.command(["letters", "show", "dead-2", "--name", "grants", "--json"]);
    expect(JSON.parse(show.out)).toMatchObject({
      letter: { id: "dead-2", state: "dead", key: "player:dead-2", offset: "2", messageId: "m-2" },
    });
  });

  it.each([
    { why: "the name", words: ["status"], env: {}, code: "no-such-backlog", text: /only `grants`/ },
    {
      why: "the network",
      words: ["status", "grants"],
      // Port 9 is `discard`: nothing listens there.
      env: { AWS_ENDPOINT_URL_SSM: "http://127.0.0.1:9" },
      code: "unreachable",
      text: /AWS_ENDPOINT_URL/,
    },
    {
      why: "the credentials",
      words: ["status", "grants"],
      env: {
        AWS_ACCESS_KEY_ID: "",
        AWS_EC2_METADATA_DISABLED: "true",
        AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
        AWS_CONFIG_FILE: "/dev/null",
      },
      code: "no-credentials",
      text: /AWS_PROFILE/,
    },
    {
      why: "the region",
      words: ["status", "grants"],
      env: { AWS_REGION: "", AWS_CONFIG_FILE: "/dev/null" },
      code: "no-region",
      text: /AWS_REGION/,
    },
  ])("ends with 3 and one line that says what to do about $why", async (given) => {
    const { exitCode, out, errors } = await backlog.command(given.words, given.env);
    expect(errors).toMatch(new RegExp(`^Cannot tell \\(${given.code}\\): [^\\n]+\\n$`));
    expect(errors).toMatch(given.text);
    expect(out).toBe("");
    expect(exitCode).toBe(3);
  });
});
