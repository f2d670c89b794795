import {
  failureOf,
  type ReferenceHandler,
  type ReferenceLetter,
  type ReferenceRecord,
} from "./reference-record.ts";

/** How dead letters are replayed. */
export type ReplayPlan = {
  /** Whether the game has applied a record already; absent = none was. */
  readonly applied?: ((record: ReferenceRecord) => boolean) | undefined;
  /** Absent = every letter counts as replayed, and nothing is called. */
  readonly handle?: ReferenceHandler | undefined;
};

export type ReferenceReplay = {
  readonly replayed: number;
  /** Removed because they were applied already. */
  readonly skipped: number;
  /** Set where a letter has no key. It is kept, and the pass went on all the same. */
  readonly error: string | undefined;
};

const EMPTY_KEY = "backlogorder: empty dead-letter id";

/**
 * One pass over the letters in order: without a key, kept and reported; applied, removed; handled,
 * removed; failed, kept with the new reason and its old attempts and time of death. A callback that
 * throws, `applied` too, is a failure of that one letter.
 */
export function replayLetters(
  letters: readonly ReferenceLetter[],
  plan: ReplayPlan,
): ReferenceReplay & { readonly remaining: readonly ReferenceLetter[] } {
  const remaining: ReferenceLetter[] = [];
  let replayed = 0;
  let skipped = 0;
  let error: string | undefined;
  for (const letter of letters) {
    const outcome = replayLetter(letter, plan);
    switch (outcome.kind) {
      case "replayed":
        replayed += 1;
        break;
      case "skipped":
        skipped += 1;
        break;
      case "keyless":
        error = EMPTY_KEY;
        remaining.push(letter);
        break;
      case "failed":
        remaining.push({ ...letter, reason: outcome.reason });
        break;
      default:
        return outcome satisfies never;
    }
  }
  return { replayed, skipped, error, remaining };
}

type Outcome =
  | { readonly kind: "replayed" }
  | { readonly kind: "skipped" }
  | { readonly kind: "keyless" }
  | { readonly kind: "failed"; readonly reason: string };

function replayLetter({ record }: ReferenceLetter, { applied, handle }: ReplayPlan): Outcome {
  if (record.key === "") return { kind: "keyless" };
  let skip = false;
  const reason = failureOf(() => {
    skip = applied?.(record) ?? false;
    if (!skip) handle?.(record);
  });
  if (reason !== undefined) return { kind: "failed", reason };
  return { kind: skip ? "skipped" : "replayed" };
}
