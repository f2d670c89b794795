import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { Command } from "commander";
import { dryRunClients } from "./dry-run.ts";
import type { Probe, ProbeClients } from "./probe.ts";
import { PROBES } from "./probes.ts";
import { runProbes, tableOf } from "./run-probes.ts";

const WATCH_MS = 20 * 60_000;

const program = new Command("probe")
  .description(
    "Asks AWS itself what its documentation leaves open. It makes queues, one function with its role, and one alarm, and deletes them again: under a cent, some 40 minutes.",
  )
  .option("--dry-run", "ask the embedded queues instead, and print each call")
  .option("--yes", "do not ask before something is made in the account")
  .argument("[names...]", `which probes: ${PROBES.map(({ name }) => name).join(", ")}`)
  .action(async (names: readonly string[], { dryRun = false, yes = false }) => {
    const chosen = PROBES.filter(({ name }) => names.length === 0 || names.includes(name));
    if (chosen.length < names.length || chosen.length === 0) {
      throw new Error(`Expected names from ${PROBES.map(({ name }) => name).join(", ")}`);
    }
    if (dryRun) return await inDryRun(chosen);
    if (!(yes || (await agreed()))) throw new Error("Nothing was made.");
    await ask(
      chosen,
      {
        sqs: new SQSClient(),
        cloudWatch: new CloudWatchClient(),
        cloudFormation: new CloudFormationClient(),
        lambda: new LambdaClient(),
      },
      { watchMs: WATCH_MS },
    );
  });

await program.parseAsync().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});

async function inDryRun(probes: readonly Probe[]): Promise<void> {
  const { clients, close } = await dryRunClients(tell);
  try {
    await ask(probes, clients, { watchMs: 0, shownOnly: isAccountOnly });
  } finally {
    await close();
  }
}

function sleep(ms: number): Promise<void> {
  return setTimeout(ms);
}

async function ask(
  probes: readonly Probe[],
  clients: ProbeClients,
  {
    watchMs,
    shownOnly = none,
  }: { readonly watchMs: number; readonly shownOnly?: (probe: Probe) => boolean },
): Promise<void> {
  const prefix = `backlogorder-probe-${randomUUID().slice(0, 8)}`;
  const stage = { ...clients, prefix, watchMs, sleep };
  const answers = await runProbes(probes, stage, tell);
  tell(
    `\n${tableOf(answers.map((answer) => (shownOnly(answer.probe) ? { ...answer, said: "calls shown only" } : answer)))}`,
  );
}

async function agreed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(
    "Make queues, a function and its role, and an alarm in the account of your credentials, and delete them again? [y/N] ",
  );
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function tell(line: string): void {
  console.log(line);
}

function none(): boolean {
  return false;
}

function isAccountOnly({ accountOnly = false }: Probe): boolean {
  return accountOnly;
}
