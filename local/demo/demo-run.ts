import type { PublishedRecord } from "../../lambdas/aws/publish-error.ts";
import { type AlertLevel, alertPolicyOf, evaluate } from "../../lambdas/core/alert-policy.ts";
import type { LedgerItem } from "../../lambdas/core/ledger.ts";
import type { ReplayResult } from "../../lambdas/core/replay-result.ts";
import { ledgerApplications, walletApplications } from "./applications.ts";
import type { Output } from "./console-output.ts";
import type { DemoCloud } from "./demo-cloud.ts";
import { invokeReplay } from "./invoke-replay.ts";
import { mendCauses, stockCatalogue } from "./mend.ts";
import { type Application, type Broken, brokenPromises } from "./promises.ts";
import { publishEvents } from "./publish-events.ts";
import type { EventFile } from "./read-events.ts";
import { type Drained, watchUntilDrained } from "./watch-backlog.ts";

/** What a run came to; the keys are the ones that `--json` prints. */
export type DemoResult = Broken & {
  readonly published: number;
  readonly applied: number;
  /** Records that were dead letters before the causes were mended. */
  readonly deadLetters: number;
  readonly replayed: number;
  readonly skipped: number;
  /** Replayed records that failed again. */
  readonly failed: number;
  /** Worst level while partitions were blocked. */
  readonly levelBefore: AlertLevel;
  readonly levelAfter: AlertLevel;
};

export type DemoRun = {
  readonly cloud: DemoCloud;
  readonly events: EventFile;
  /** The user's own handler runs: its data are not known here, so the ledger is asked instead. */
  readonly ownHandler: boolean;
  /** Ids on which the handler failed or died, filled in as its output arrives. */
  readonly failedOrKilled: ReadonlySet<string>;
  readonly output: Output;
  readonly signal: AbortSignal;
};

const LIMIT_SECONDS = 120;

/** Publishes, drains, mends, replays, and checks the promises against the game's own data. */
export async function runDemo(run: DemoRun): Promise<DemoResult> {
  const { cloud, events, output } = run;
  for (const { line, reason } of events.refused) output.line(`line ${line} refused: ${reason}`);
  await stockCatalogue(cloud);
  const published = await publishEvents(await cloud.publisher(), events.records, output);
  const before = await drain(run, published.length);
  const letters = await cloud.letters();
  await sayVerdict(run, before.worstLevel, published, letters);

  output.line("mending both causes and replaying the dead letters");
  await mendCauses(cloud);
  const replay = await invokeReplay(cloud, { requestedBy: "demo", why: "both causes are mended" });
  const after = await drain(run, published.length);
  const result = await resultOf(run, published, before, after, replay);
  await sayVerdict(run, result.levelAfter, published, await cloud.letters());
  return result;
}

/** Whether every promise was kept and the run showed what it should. */
export function isKept(result: DemoResult): boolean {
  const { lost, doubled, disorder, innocents, failed, levelBefore, levelAfter } = result;
  const zero = lost + doubled + disorder + innocents + failed === 0;
  const trouble = result.deadLetters === 0 || levelBefore !== "ok";
  return zero && trouble && levelAfter === "ok" && result.applied === result.published;
}

async function drain({ cloud, output, signal }: DemoRun, total: number): Promise<Drained> {
  const progress = output.progress("settled", total);
  return watchUntilDrained(cloud, { total, limitSeconds: LIMIT_SECONDS, progress, signal });
}

async function sayVerdict(
  { cloud, output, ownHandler }: DemoRun,
  level: AlertLevel,
  published: readonly PublishedRecord[],
  letters: readonly LedgerItem[],
): Promise<void> {
  const applied = (await applications(cloud, ownHandler)).size;
  output.line(
    `${level.toUpperCase()}: ${applied} of ${published.length} applied, ${letters.length} dead letters`,
  );
  if (letters.length === 0) return;
  const groups = Map.groupBy(letters, ({ reason }) => reason ?? "");
  output.table(
    ["reason", "letters", "for example"],
    [...groups].map(([reason, group]) => [reason, String(group.length), group[0]?.id ?? ""]),
  );
}

async function resultOf(
  { cloud, ownHandler, failedOrKilled }: DemoRun,
  published: readonly PublishedRecord[],
  before: Drained,
  after: Drained,
  replay: ReplayResult,
): Promise<DemoResult> {
  const applied = await applications(cloud, ownHandler);
  const broken = brokenPromises({
    published,
    applications: applied,
    lettersNow: after.letters,
    lettersEver: before.letters.union(after.letters),
    failedOrKilled,
    waiting: after.backlog.count,
  });
  return {
    published: published.length,
    applied: published.filter(({ id }) => applied.has(id)).length,
    deadLetters: before.letters.size,
    replayed: replay.replayed,
    skipped: replay.skipped,
    failed: replay.failed.length + replay.errors.length,
    ...broken,
    levelBefore: before.worstLevel,
    levelAfter: evaluate(alertPolicyOf(cloud.settings), after.backlog),
  };
}

function applications(
  { dynamo, walletTable, ledgerTable }: DemoCloud,
  ownHandler: boolean,
): Promise<ReadonlyMap<string, Application>> {
  return ownHandler
    ? ledgerApplications(dynamo, ledgerTable)
    : walletApplications(dynamo, walletTable);
}
