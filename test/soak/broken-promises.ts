import { compareOffsets } from "../../lambdas/core/wire/offset.ts";
import type { GameData } from "./game-data.ts";
import type { Accepted } from "./traffic.ts";

export type Evidence = GameData & {
  readonly accepted: readonly Accepted[];
  /** Ids that were dead letters at any time. */
  readonly letters: ReadonlySet<string>;
  /** Ids on which the handler failed or died, by its own word. */
  readonly testified: ReadonlySet<string>;
};

/** Ids, or keys, for which a promise was broken. */
export type Broken = {
  /** Accepted, and not applied in the end. */
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  /** Applied behind a later record of its partition; dead letters aside. */
  readonly disorder: readonly string[];
  /** Dead letters that the handler neither failed nor died on. */
  readonly innocents: readonly string[];
  /** Applied, and not one that was published. */
  readonly strangers: readonly string[];
  /** Keys whose coins are not the sum of what was published for them. */
  readonly balances: readonly string[];
};

/** Holds the game's data against what was published, once nothing waits and nothing is dead. */
export function brokenPromises(evidence: Evidence): Broken {
  const { accepted, applied, letters, testified } = evidence;
  const known = new Set(accepted.map(({ id }) => id));
  return {
    lost: [...known].filter((id) => !applied.has(id)),
    doubled: doubledIn(evidence),
    disorder: disorderIn(evidence),
    innocents: [...letters].filter((id) => !testified.has(id)),
    strangers: [...applied.keys()].filter((id) => !known.has(id)),
    balances: unbalanced(evidence),
  };
}

function doubledIn({ applied, orders }: Evidence): readonly string[] {
  const counted = [...applied].filter(([, times]) => times !== 1).map(([id]) => id);
  const logged = [...orders.values()].flatMap((ids) =>
    ids.filter((id, index) => ids.indexOf(id) < index),
  );
  return [...new Set([...counted, ...logged])];
}

function disorderIn({ accepted, orders, letters }: Evidence): readonly string[] {
  const offsets = new Map(accepted.map(({ id, offset }) => [id, offset]));
  const found: string[] = [];
  for (const ids of orders.values()) {
    let latest = "0";
    for (const id of ids) {
      const offset = offsets.get(id);
      if (offset === undefined || letters.has(id)) continue;
      if (compareOffsets(offset, latest) < 0) found.push(id);
      else latest = offset;
    }
  }
  return found;
}

function unbalanced({ accepted, balances }: Evidence): readonly string[] {
  const expected = new Map<string, number>();
  for (const { key, coins } of accepted) expected.set(key, (expected.get(key) ?? 0) + coins);
  return [...expected]
    .filter(([key, coins]) => balances.get(`${key}`) !== coins)
    .map(([key]) => key);
}
