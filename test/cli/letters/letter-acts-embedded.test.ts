import { GetEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partitionOf } from "../../../lambdas/core/partition.ts";
import { invokeReplay } from "../../../local/demo/invoke-replay.ts";
import { startStage } from "../transcript-stage.ts";

let stage: Awaited<ReturnType<typeof startStage>>;

beforeAll(async () => {
  stage = await startStage();
  const publisher = await stage.cloud.publisher();
  const recordOf = (id: string) => ({ id, key: `player:${id}`, payload: "junk" });
  await publisher.publish(["edited", "purged", "kept"].map(recordOf));
  await stage.until("drained");
}, 120_000);

afterAll(() => stage.close(), 30_000);

async function json(line: string) {
  const { out, errors, exitCode } = await stage.shell(`npx backlogorder ${line} --json`);
  return { exitCode, errors, answer: JSON.parse(out || "null") };
}

const listed = async () =>
  (await json("letters list demo")).answer.list.map(({ id }: { id: string }) => id).toSorted();

describe("acts on letters, against the stack on this machine", { timeout: 60_000 }, () => {
  it("discard a letter, keep it from a replay, and restore it", async () => {
    const discard = await json("letters discard demo --id kept --yes --why 'test account'");
    expect(discard).toMatchObject({ exitCode: 0, answer: { discarded: ["kept"] } });
    const { answer: list } = await json("letters list demo");
    expect(list.list).toHaveLength(2);
    expect(list.letters).toMatchObject({ held: 3, listed: 2, notListed: 0, discarded: 1 });
    const { out } = await stage.shell("npx backlogorder trace kept --name demo");
    expect(out).toMatch(/^Record kept is a dead letter, discarded: no replay takes it\n/);
    expect(out).toContain("Next: npx backlogorder letters restore kept --name demo --why '...'");
    const replayed = await invokeReplay(stage.cloud, { filter: { reason: "event" } });
    expect(replayed).toMatchObject({ failed: [{ id: "edited" }, { id: "purged" }] });
    const { answer } = await json("letters discarded demo");
    expect(answer.list).toMatchObject([{ id: "kept", why: "test account", state: "discarded" }]);
    await json("letters restore kept --name demo --why 'a mistake'");
    expect(await listed()).toEqual(["edited", "kept", "purged"]);
  });

  it("show a payload, edit it, and replay what it became", async () => {
    const shown = await json("letters show edited --payload --name demo");
    expect(shown.answer.letter).toMatchObject({ payload: "junk", copies: 1 });
    const payload = `'{"type":"credit","amount":5}'`;
    const edit = await json(`letters edit edited --name demo --why typo --payload ${payload}`);
    expect(edit).toMatchObject({ exitCode: 0, answer: { changed: true } });
    const replayed = await invokeReplay(stage.cloud, { filter: { ids: ["edited"] } });
    expect(replayed).toMatchObject({ replayed: 1, failed: [] });
    expect(await listed()).toEqual(["kept", "purged"]);
  });

  it("purge only what is discarded", async () => {
    const refused = await json("letters purge purged --name demo --why 'asked to forget'");
    expect(refused).toMatchObject({ exitCode: 2, answer: { error: { code: "letter-refused" } } });
    await json("letters discard demo --id purged --yes --why 'asked to forget'");
    const purged = await json("letters purge purged --name demo --why 'asked to forget'");
    expect(purged.answer).toMatchObject({ removed: 1 });
    const gone = await stage.shell("npx backlogorder letters show purged --payload --name demo");
    expect(gone.errors).toContain("holds no letter of record purged");
  });

  it("renew letters, so that they expire later", async () => {
    const expiryOf = async () => (await json("letters list demo --key player:kept")).answer.list[0];
    const before = await expiryOf();
    const renewed = await json("letters renew demo --all --expiring-within 14d --why holidays");
    expect(renewed.answer).toMatchObject({ renewed: ["kept"], errors: [], truncated: false });
    const after = await expiryOf();
    expect(Date.parse(after.expiresAt)).toBeGreaterThan(Date.parse(before.expiresAt));
    expect(after.failedAt).toBe(before.failedAt);
  });

  it("pause and resume the consumer's own mapping", async () => {
    const { lambda } = stage.cloud;
    const stateOf = async () => {
      const { answer } = await json("acts list demo --limit 1");
      return answer.acts[0];
    };
    const mapping = await mappingId();
    for (const [operation, state] of [
      ["pause", "Disabled"] as const,
      ["resume", "Enabled"] as const,
    ]) {
      await invokeReplay(stage.cloud, { operation, requestedBy: "ann", why: "shop is down" });
      expect(await stateOf()).toMatchObject({ operation, state: "done", who: "ann" });
      await expect
        .poll(async () => (await lambda.send(mapping)).State, { timeout: 20_000 })
        .toBe(state);
    }
  });

  it("see past letters that SQS moved, which hide each other in their partition's group", async () => {
    await moveToLetters("player:moved", 14);
    const shown = await json("letters show moved-14 --payload --name demo");
    expect(shown.answer.letter).toMatchObject({ payload: "moved 14", copies: 1 });
    expect(await listed()).toContain("moved-1");
  });

  it("are all on record, with what became of each letter", async () => {
    const { answer } = await json("acts list demo");
    expect(answer.acts.map(({ operation }: { operation: string }) => operation)).toEqual(
      expect.arrayContaining(["discard", "restore", "show", "edit", "replay", "purge", "renew"]),
    );
    const edit = answer.acts.find((act: { operation: string }) => act.operation === "edit");
    const shown = await json(`acts show ${edit.actId} --name demo`);
    expect(shown.answer.act.letters).toMatchObject([
      { id: "edited", outcome: "edited", digestBefore: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(shown.answer.act.who).toContain("arn:aws:");
  });
});

/** As SQS moves them after a day of outage: in their partition's group, without facts. */
async function moveToLetters(key: string, count: number) {
  const { sqs, ssm } = clients();
  const { letterQueueUrl, partitions } = await operations(ssm);
  for (let each = 1; each <= count; each += 1) {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: letterQueueUrl,
        MessageBody: `moved ${each}`,
        MessageGroupId: String(partitionOf(key, partitions)),
        MessageDeduplicationId: `moved-${each}`,
        MessageAttributes: {
          id: { DataType: "String", StringValue: `moved-${each}` },
          key: { DataType: "String", StringValue: key },
        },
      }),
    );
  }
  for (const client of [sqs, ssm]) client.destroy();
}

function clients() {
  const { environment } = stage.cloud;
  const common = {
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    region: "us-east-1",
  };
  return {
    sqs: new SQSClient({ ...common, endpoint: environment["AWS_ENDPOINT_URL_SQS"] ?? "" }),
    ssm: new SSMClient({ ...common, endpoint: environment["AWS_ENDPOINT_URL_SSM"] ?? "" }),
  };
}

async function operations(ssm: SSMClient) {
  const { Parameter } = await ssm.send(
    new GetParameterCommand({ Name: "/backlogorder/demo/operations" }),
  );
  return JSON.parse(Parameter?.Value ?? "");
}

async function mappingId() {
  const { sqs, ssm } = clients();
  const { mapping } = await operations(ssm);
  for (const client of [sqs, ssm]) client.destroy();
  return new GetEventSourceMappingCommand({ UUID: mapping });
}
