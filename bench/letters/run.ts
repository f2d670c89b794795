import { tableOf } from "../../cli/terminal/table.ts";
import { deployBacklog } from "./deployed-backlog.ts";
import { entriesBeside, manyLetters } from "./many-letters.ts";
import { costsOf, requestsBetween } from "./replay-costs.ts";
import { type CommandRun, runCommand } from "./run-command.ts";
import { seedEntries, seedLetters } from "./seed-letters.ts";

// npm run bench:letters [letters] [letters of one call at most]
// What the operators' command and the replay function cost with many letters, on the embedded run.
// Times are of this machine and of this moment; requests are the same everywhere.

const LETTERS = Number(process.argv[2] ?? 10_000);
const ENTRIES = Math.ceil(LETTERS / 2);
const PER_CALL = process.argv[3] === undefined ? undefined : Number(process.argv[3]);
const PARTITIONS = 64;
const NAME = "letters";

const SECONDS_MAX = { groups: 3, plan: 10 } as const;
const MEGABYTES_MAX = 300;
const COSTS_MAX = { sqs: 0.6, ledger: 0.4 } as const;

const targets: [string, boolean][] = [];

const backlog = await deployBacklog({
  settings: {
    name: NAME,
    partitions: PARTITIONS,
    replayRatePerSecond: 200,
    ...(PER_CALL !== undefined && { replayLimit: PER_CALL }),
  },
  handler: "bench/contenders/no-op-handler.ts",
});
try {
  const letters = manyLetters(LETTERS, Date.now());
  await seedLetters(backlog, letters);
  await seedEntries(backlog, entriesBeside(letters, ENTRIES, PARTITIONS));
  console.log(`${LETTERS} letters over ${PARTITIONS} partitions, and ${ENTRIES} batch entries`);
  const groups = await command("letters", "groups", NAME);
  const plan = await command("replay", "plan", NAME, "--all", "--overtaken");
  const before = backlog.requests();
  const run = await command(...["replay", "run", NAME, "--all", "--overtaken", "--yes"], "--json");
  const requests = requestsBetween(before, backlog.requests());
  const { replayed, runIds, next } = JSON.parse(run.out);
  report({ "letters groups": groups, "replay plan": plan, "replay run": run });
  console.log(`\n${replayed} of ${LETTERS} replayed in ${runIds.length} calls; next: ${next}`);
  console.log(
    tableOf(
      [{ title: "requests of the replay function" }, { title: "a letter", align: "right" }],
      [...requests]
        .toSorted(([, left], [, right]) => right - left)
        .map(([name, count]) => [name, (count / LETTERS).toFixed(3)]),
    ),
  );
  const costs = costsOf(requests, LETTERS);
  targets.push([`every letter replayed`, replayed === LETTERS]);
  atMost("letters groups, seconds", groups.seconds, SECONDS_MAX.groups);
  atMost("replay plan, seconds", plan.seconds, SECONDS_MAX.plan);
  const megabytes = Math.max(groups.megabytes, plan.megabytes, run.megabytes);
  atMost("memory of the command, MB", megabytes, MEGABYTES_MAX);
  atMost("SQS requests a letter", costs.sqs, COSTS_MAX.sqs);
  atMost("ledger requests a letter", costs.ledger, COSTS_MAX.ledger);
} finally {
  await backlog.close();
}
for (const [text, met] of targets) console.log(`${met ? "met" : "missed"}: ${text}`);
process.exitCode = targets.every(([, met]) => met) ? 0 : 1;

async function command(...words: readonly string[]): Promise<CommandRun> {
  const why = words.includes("run") ? ["--why", "measured"] : [];
  const ended = await runCommand([...words, ...why], backlog.cloud.environment);
  if (ended.exitCode === 0) return ended;
  throw new Error(
    `Expected ${words.join(" ")} to end with 0, got ${ended.exitCode}: ${ended.errors || ended.out.slice(0, 2000)}`,
  );
}

function report(runs: Readonly<Record<string, CommandRun>>): void {
  const rows = Object.entries(runs).map(([name, { seconds, megabytes }]) => [
    name,
    seconds.toFixed(1),
    megabytes.toFixed(0),
  ]);
  const number = (title: string): { readonly title: string; readonly align: "right" } => ({
    title,
    align: "right",
  });
  console.log(tableOf([{ title: "command" }, number("seconds"), number("MB")], rows));
}

function atMost(what: string, figure: number, most: number): void {
  targets.push([`${what}: ${figure.toFixed(2)}, at most ${most}`, figure <= most]);
}
