import type { PublishedRecord } from "../../lambdas/aws/publisher/publish-error.ts";
import { compareOffsets } from "../../lambdas/core/wire/offset.ts";

/** When a record was applied first, in epoch milliseconds, and how often if that is known. */
export type Application = { readonly firstAtMs: number; readonly times?: number };

/** An application of which the game's own data say how often it happened. */
export type CountedApplication = Required<Application>;

export type Evidence = {
  readonly published: readonly PublishedRecord[];
  readonly applications: ReadonlyMap<string, Application>;
  /** Whether the applications are counted; the ledger only says that there was one. */
  readonly timesKnown: boolean;
  /** Ids that were dead letters at any time. */
  readonly lettersEver: ReadonlySet<string>;
  /** Ids on which the handler failed or died, by its own word. */
  readonly failedOrKilled: ReadonlySet<string>;
  /** Messages still in the source queue. */
  readonly waiting: number;
  /** Messages in the dead-letter queue, as SQS counts them: what the ledger lists as a dead letter
   *  is none unless it is there. */
  readonly lettersQueued: number;
};

/** What the run must find zero, each counted in records. */
export type Broken = {
  /** Accepted, and neither applied, nor a dead letter, nor waiting. */
  readonly lost: number;
  /** Applied more than once; null where nobody counted. */
  readonly doubled: number | null;
  /** Applied for the first time before an earlier record of its partition; dead letters aside. */
  readonly disorder: number;
  /** Dead letters that the handler neither failed nor died on. */
  readonly innocents: number;
};

/** Checks the promises against what the game's data show. */
export function brokenPromises(evidence: Evidence): Broken {
  const { published, applications, lettersEver, failedOrKilled } = evidence;
  const missing = published.filter(({ id }) => !applications.has(id)).length;
  return {
    lost: Math.max(0, missing - evidence.waiting - evidence.lettersQueued),
    doubled: evidence.timesKnown ? doubledIn(applications) : null,
    disorder: disorderIn(published, applications, lettersEver),
    innocents: [...lettersEver].filter((id) => !failedOrKilled.has(id)).length,
  };
}

function doubledIn(applications: ReadonlyMap<string, Application>): number {
  return [...applications.values()].filter(({ times = 0 }) => times > 1).length;
}

function disorderIn(
  published: readonly PublishedRecord[],
  applications: ReadonlyMap<string, Application>,
  lettersEver: ReadonlySet<string>,
): number {
  const living = published.filter(({ id }) => !lettersEver.has(id));
  let disorder = 0;
  for (const line of Map.groupBy(living, ({ partition }) => partition).values()) {
    let latestMs = 0;
    for (const { id } of line.toSorted((a, b) => compareOffsets(a.offset, b.offset))) {
      const atMs = applications.get(id)?.firstAtMs;
      if (atMs === undefined) continue;
      if (atMs < latestMs) disorder += 1;
      latestMs = Math.max(latestMs, atMs);
    }
  }
  return disorder;
}
