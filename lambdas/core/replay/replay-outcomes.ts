import type { Outcomes } from "./replay-follow.ts";
import type { Letter } from "./replay-letter.ts";
import type { Pass } from "./replay-pass.ts";
import {
  type LetterOutcome,
  SELECTED_SHOWN,
  type SelectedLetter,
  type Selection,
} from "./replay-result.ts";
import type { Scan } from "./replay-scan.ts";
import type { Sent } from "./sent-letter.ts";

/** What became of each letter that was taken or could not be; what went wrong first. */
export function letterOutcomes(
  { skipped, errors }: Pass,
  { replayed, failed, pending }: Outcomes,
  { letters }: Scan,
): readonly LetterOutcome[] {
  const of = (outcome: LetterOutcome["outcome"], letter: Letter): LetterOutcome => ({
    id: letter.record.id,
    outcome,
    oldReason: letter.reason,
  });
  const settled = new Set([...replayed, ...pending].map(({ letter }) => letter.record.id));
  const kept = new Set(errors.map(({ id }) => id).filter((id) => !settled.has(id)));
  return [
    ...failed.map(({ sent, reason }) => ({ ...of("failed", sent.letter), newReason: reason })),
    ...pending.map(({ letter }) => of("pending", letter)),
    ...letters.filter(({ record }) => kept.has(record.id)).map((letter) => of("kept", letter)),
    ...skipped.map((letter) => of("skipped", letter)),
    ...replayed.map(({ letter }) => of("replayed", letter)),
  ];
}

/** The letters that a dry run would send. */
export function selectionOf(sent: readonly Sent[]): Selection {
  return { count: sent.length, letters: sent.slice(0, SELECTED_SHOWN).map(shownLetter) };
}

function shownLetter({ letter }: Sent): SelectedLetter {
  const { record, reason, failedAtMs, attempts } = letter;
  const { id, key, partition, generation, enqueuedAtMs, offset } = record;
  return {
    id,
    key,
    partition,
    generation,
    enqueuedAtMs,
    offset: offset ?? null,
    reason,
    failedAtMs,
    attempts,
  };
}
