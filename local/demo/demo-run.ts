import type { PublishedRecord } from "../../lambdas/aws/publisher/publish-error.ts";
import { type AlertLevel, alertPolicyOf, evaluate } from "../../lambdas/core/alert-policy.ts";
import type { LedgerItem } from "../../lambdas/core/ledger.ts";
import type { ReplayResult } from "../../lambdas/core/replay/replay-result.ts";
import { ledgerApplications, walletApplications } from "./applications.ts";
import type { Output } from "./console-output.ts";
import type { DemoCloud } from "./demo-cloud.ts";
import type { DemoResult } from "./demo-result.ts";
import { invokeReplay } from "./invoke-replay.ts";
import { mendCauses, stockCatalogue } from "./mend.ts";
import { type Application, brokenPromises } from "./promises.ts";
import { publishEvents } from "./publish-events.ts";
import type { EventFile } from "./read-events.ts";
import { type Drained, watchUntilDrained } from "./watch-backlog.ts";

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
  const { cloud, events, output, signal } = run;
  for (const { line, reason } of events.refused) output.line(`line ${line} refused: ${reason}`);
  await stockCatalogue(cloud);
  const published = await publishEvents(await cloud.publisher(), events.records, output, signal);
  const before = await drain(run, published.length);
  const letters = await cloud.letters();
  await sayVerdict(run, before.worstLevel, published, letters);

  await mend(run);
  const request = { requestedBy: "demo", why: "the causes are mended" };
  const replay = await invokeReplay(cloud, request, signal);
  sayReplay(output, replay);
  const after = await drain(run, published.length);
  const result = await resultOf(run, published, before, after, replay);
  await sayVerdict(run, result.levelAfter, published, await cloud.letters());
  return result;
}

async function mend({ cloud, output, ownHandler }: DemoRun): Promise<void> {
  if (ownHandler) {
    output.line("replaying the dead letters; what your handler failed on is not mended here");
    return;
  }
  output.line("mending both causes and replaying the dead letters");
  await mendCauses(cloud);
}

/** Letters that failed again are in the verdict that follows, by their reasons. */
function sayReplay(output: Output, { runId, errors, truncated }: ReplayResult): void {
  for (const { id, error } of errors) output.line(`replay of ${id}: ${error}`);
  if (truncated) output.line(`replay ${runId} left letters behind: more than one run may take`);
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
    timesKnown: !ownHandler,
    lettersEver: before.letters.union(after.letters),
    failedOrKilled,
    waiting: after.backlog.count,
    lettersQueued: after.backlog.letters,
  });
  return {
    published: published.length,
    applied: published.filter(({ id }) => applied.has(id)).length,
    deadLetters: before.letters.size,
    replayed: replay.replayed,
    skipped: replay.skipped,
    failed: failedIn(replay),
    ...broken,
    levelBefore: before.worstLevel,
    levelAfter: evaluate(alertPolicyOf(cloud.settings), after.backlog),
  };
}

function failedIn({ failed, errors, omitted }: ReplayResult): number {
  return failed.length + errors.length + (omitted?.failed ?? 0) + (omitted?.errors ?? 0);
}

function applications(
  { dynamo, walletTable, ledgerTable }: DemoCloud,
  ownHandler: boolean,
): Promise<ReadonlyMap<string, Application>> {
  return ownHandler
    ? ledgerApplications(dynamo, ledgerTable)
    : walletApplications(dynamo, walletTable);
}
