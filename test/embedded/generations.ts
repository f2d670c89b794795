import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SQSClient } from "@aws-sdk/client-sqs";
import { GetParameterCommand, PutParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { App } from "aws-cdk-lib";
import { vi } from "vitest";
import { appSettingsOf } from "../../infra/app-settings.ts";
import { BacklogStack } from "../../infra/backlog-stack.ts";
import { publisherFor } from "../../lambdas/aws/publisher/publisher.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import type { OutgoingRecord } from "../../lambdas/core/wire/outgoing.ts";
import { endAll } from "../../local/cloud/end-all.ts";
import { startCloud } from "../../local/cloud.ts";
import { type Assembly, readAssembly } from "../../local/deploy/assembly.ts";
import { deploy } from "../../local/deploy/deploy.ts";

/** Two generations of the backlog `live` deployed side by side on this machine. */
export type Generations = Awaited<ReturnType<typeof deployGenerations>>;

type Call = { readonly called: string; readonly key: string };

const SETTINGS = {
  name: "live",
  handler: "test/cases/witness-handler.ts",
  maxAttempts: 3,
  consumerTimeoutSeconds: 20,
  backoffBaseSeconds: 1,
};

/** @param partitions of the first generation and of the second, which is deployed with `drainFirst` */
export async function deployGenerations(partitions: readonly [number, number]) {
  const folder = mkdtempSync(join(tmpdir(), "generations-"));
  const calls: Call[] = [];
  const ends: (() => Promise<void>)[] = [
    async () => rmSync(folder, { recursive: true, force: true }),
  ];
  const close = () => endAll(ends.splice(0).toReversed());
  try {
    const { context } = JSON.parse(
      readFileSync(new URL("../../cdk.json", import.meta.url), "utf8"),
    );
    const assemblyOf = (choice: Readonly<Record<string, unknown>>): Assembly => {
      const app = new App({ context, outdir: mkdtempSync(join(folder, "cdk.out-")) });
      new BacklogStack(app, appSettingsOf({ ...SETTINGS, ...choice }));
      return readAssembly(app.synth().directory);
    };
    const second = { partitions: partitions[1], generation: 2 };
    const [old, waits, turnedOn] = [
      assemblyOf({ partitions: partitions[0] }),
      assemblyOf({ ...second, drainFirst: true }),
      assemblyOf(second),
    ] as const;
    const cloud = await startCloud({
      onLine: ({ text }) => {
        if (text.startsWith('{"called":')) calls.push(JSON.parse(text));
      },
    });
    ends.push(() => cloud.close());
    const [, later] = await Promise.all([old, waits].map((each) => deploy({ ...each, cloud })));

    const client = ({ url }: { readonly url: string }) => ({
      region: cloud.region,
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      endpoint: url,
    });
    const sqs = new SQSClient(client(cloud.sqs));
    const ssm = new SSMClient(client(cloud.ssm));
    const read = async (Name: string): Promise<string> =>
      (await ssm.send(new GetParameterCommand({ Name }))).Parameter?.Value ?? "";
    const operations = async (name: string) =>
      JSON.parse(await read(`/backlogorder/${name}/operations`));
    const waiting = async (name: string): Promise<number> => {
      const { visible, inFlight } = await readQueueSize(sqs, (await operations(name)).sourceUrl);
      return visible + inFlight;
    };
    return {
      calls,
      /** As a game server that reads `/backlogorder/live` anew. */
      publish: async (records: readonly OutgoingRecord[]) =>
        publisherFor(await read("/backlogorder/live"), sqs).publish(records),
      /** Publishers that read the first generation's parameter find the second. */
      async switchPublishers(): Promise<void> {
        const Value = await read("/backlogorder/live-g2");
        await ssm.send(
          new PutParameterCommand({ Name: "/backlogorder/live", Value, Overwrite: true }),
        );
      },
      /** Runs the operators' command with these words, its standard input given. */
      command: (words: readonly string[], input = "") =>
        runCommand(words, input, cloud.environment),
      waiting,
      drained: (name: string) =>
        vi.waitUntil(async () => (await waiting(name)) === 0, { timeout: 30_000, interval: 100 }),
      /** What two snapshots of the first generation measured, that many minutes ago and one later. */
      measured(minutesAgo: number, counts: readonly [number, number]): void {
        for (const [index, value] of counts.entries()) {
          const timestampMs = Date.now() - (minutesAgo - index) * 60_000;
          const metric = {
            namespace: "Backlogorder",
            dimensions: { Backlog: "live" },
            timestampMs,
          };
          cloud.cloudwatch.record({ ...metric, metricName: "Count", value });
          cloud.cloudwatch.record({ ...metric, metricName: "Letters", value: 0 });
        }
      },
      /** The deploy of the second generation without `drainFirst`. @throws with the gate's words */
      async turnOn(): Promise<void> {
        await later?.update(turnedOn);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const COMMAND = resolve(import.meta.dirname, "../../cli/backlogorder.ts");

type Ended = { readonly exitCode: number; readonly out: string; readonly errors: string };

function runCommand(
  words: readonly string[],
  input: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((settle) => {
    const child = execFile(
      process.execPath,
      [COMMAND, ...words],
      { env, timeout: 30_000 },
      (_, out, errors) => settle({ exitCode: child.exitCode ?? -1, out, errors }),
    );
    child.stdin?.end(input);
  });
}
