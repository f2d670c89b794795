import { deepEqual, equal } from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { walletApplications } from "../../local/demo/applications.ts";
import { type Leg, untilEqual } from "./leg.ts";
import { commandEnvironment, type Target } from "./target.ts";

const COMMAND = resolve(import.meta.dirname, "../../cli/bin/backlogorder.js");
const COMMAND_SECONDS_MAX = 60;
const WHY = ["--why", "to see whether it can be done"];

/** What operators do with the deployed stack by their command, once records went through it. */
export function operators(target: Target, backlog: string): readonly Leg[] {
  const command = (...words: readonly string[]) => answerOf(target, [...words, "--json"]);
  return [
    {
      title: "the operators' command sees the one letter that is left",
      async ask() {
        const { count, blocked, letters } = await command("status", backlog);
        deepEqual([count, blocked, letters.held, letters.listed], [0, [], 1, 1]);
      },
    },
    {
      title: "a paused consumer takes no record, and takes it when it is resumed",
      async ask({ publisher, sqs, sourceUrl, dynamo, walletTable }) {
        await command("pause", backlog, ...WHY);
        await untilEqual(async () => (await command("status", backlog)).consumer.feeding, "off");
        const payload = JSON.stringify({ type: "credit", amount: 1 });
        await publisher.publish([{ id: "paused", key: "ada", payload }]);
        equal((await readQueueSize(sqs, sourceUrl)).visible, 1);
        await command("resume", backlog, ...WHY);
        await untilEqual(
          async () => (await walletApplications(dynamo, walletTable)).get("paused")?.times,
          1,
        );
      },
    },
  ];
}

/** The command's answer, whatever its exit code says of the backlog. */
async function answerOf(target: Target, words: readonly string[]) {
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((done) =>
    execFile(
      process.execPath,
      [COMMAND, ...words],
      {
        env: commandEnvironment(target),
        timeout: COMMAND_SECONDS_MAX * 1000,
        signal: target.signal,
      },
      (_error, out, problems) => done({ stdout: out, stderr: problems }),
    ),
  );
  try {
    return JSON.parse(stdout);
  } catch (cause) {
    throw new Error(`Expected \`backlogorder ${words[0]}\` to answer, got: ${stderr}`, { cause });
  }
}
