import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mendCauses } from "../../local/demo/mend.ts";
import { runbookCommands, runbookMentions } from "./runbook-commands.ts";
import { transcriptOf, withoutAlarms, withoutProgress } from "./transcript.ts";
import { keysOfPartition, startStage } from "./transcript-stage.ts";

let stage: Awaited<ReturnType<typeof startStage>>;

beforeAll(async () => {
  stage = await startStage();
}, 60_000);

afterAll(() => stage.close());

describe("the runbook, on the embedded run", () => {
  it("leads an incident from page to ok by command lines only", { timeout: 60_000 }, async () => {
    const exitCodes: number[] = [];
    const say = async (line = "") => {
      const ended = await stage.shell(line);
      exitCodes.push(ended.exitCode);
      return transcriptOf(line, ended);
    };
    const [look, groups, plan, run, again, ...rest] = runbookCommands(
      "An incident from page to ok",
    );
    expect(rest).toEqual([]);
    await publishPurchases();
    await stage.until("page");
    const transcript = [withoutProgress(await say(look))];
    await stage.until("drained");
    transcript.push(await say(groups), await say(plan));
    await mendCauses(stage.cloud);
    transcript.push("(the phoenix is put back into the catalogue)\n");
    transcript.push(await say(run), withoutAlarms(await say(again)));
    expect(exitCodes, transcript.join("\n")).toEqual([2, 0, 0, 0, 0]);
    await expect(transcript.join("\n")).toMatchFileSnapshot(
      resolve(import.meta.dirname, "transcript.txt"),
    );
  });

  it("has no command but in lines of their own, and every one of them runs", {
    timeout: 60_000,
  }, async () => {
    const commands = runbookCommands();
    expect(commands).toHaveLength(runbookMentions());
    expect(commands.length).toBeGreaterThan(10);
    for (const command of new Set(commands)) {
      const { exitCode, errors } = await stage.shell(command);
      expect({ command, errors: exitCode < 3 ? "" : errors }).toEqual({ command, errors: "" });
      expect(exitCode).toBeGreaterThanOrEqual(0);
    }
  });
});

/** Four purchases of what is not for sale, all in one partition, and what waits behind them. */
async function publishPurchases() {
  const publisher = await stage.cloud.publisher();
  const keys = keysOfPartition(7, 4, stage.cloud);
  const eventsOf = (kind: string, payload: object) =>
    keys.map((key, index) => ({
      id: `${kind}-${index + 1}`,
      key,
      payload: JSON.stringify({ type: kind === "purchase" ? kind : "credit", ...payload }),
    }));
  await publisher.publish(eventsOf("funds", { amount: 1000 }));
  await publisher.publish(eventsOf("purchase", { item: "phoenix" }));
  await publisher.publish(eventsOf("gift", { amount: 5 }));
}
