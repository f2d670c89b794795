import type { BacklogLocation } from "../backlog-location.ts";
import { RefusedError } from "../refused-error.ts";
import type { Interaction } from "../replay/interaction.ts";
import {
  commandWords,
  isFiltered,
  readSelection,
  requestFilterOf,
  type SelectionOptions,
} from "../replay/selection.ts";
import type { Session } from "../session.ts";
import { parseDuration } from "../terminal/duration.ts";
import { type LetterError, letterActOn, tellLetters } from "./letter-acts-call.ts";
import { counted } from "./letter-acts-discarded.ts";
import type { AskOptions } from "./letter-acts-options.ts";
import { type LetterFilter, selectLetters } from "./letter-filter.ts";
import { readLetters } from "./read-letters.ts";

type Discarded = {
  readonly runId: string;
  readonly discarded: readonly string[];
  readonly errors: readonly LetterError[];
  readonly truncated: boolean;
};

/** `letters discard [name]`. @throws RefusedError where nobody agreed, or a replay runs. */
export async function lettersDiscard(
  name: string,
  options: SelectionOptions & AskOptions,
  session: Session,
  interaction: Interaction,
): Promise<number> {
  const act = await letterActOn(name, options, session);
  const { partitions } = act.location;
  const filter = readSelection(options, { nowMs: session.nowMs, partitions });
  await assertAgreed(() => discardQuestion(filter, session, act.location), options, interaction);
  const done = await act.ask<Discarded>("discard", {
    filter: requestFilterOf(filter),
    limit: filter.limit,
  });
  const { discarded, errors, truncated, runId } = done;
  const said = `${counted(discarded)} discarded; SQS keeps them until they expire`;
  const next = `npx backlogorder letters discarded ${name}`;
  const answer = { runId, discarded };
  return tellLetters(
    { kind: "letters-discard", answer, said, errors, truncated, next },
    act,
    session,
  );
}

async function discardQuestion(
  filter: LetterFilter,
  session: Session,
  location: BacklogLocation,
): Promise<string> {
  const { listed } = await readLetters(session, location);
  const { taken } = selectLetters(filter, listed);
  return `Discard ${counted(taken)} (${commandWords(filter)})?`;
}

async function assertAgreed(
  question: () => Promise<string>,
  { yes }: AskOptions,
  { present, confirm }: Interaction,
): Promise<void> {
  if (yes || (present && (await confirm(await question())))) return;
  throw new RefusedError({
    code: "not-confirmed",
    message: present ? "Nobody agreed" : "Without a terminal nobody can agree",
    remedy: "look at `letters list` with the same filter, then say `--yes`",
  });
}

export type RenewOptions = SelectionOptions & AskOptions & { readonly expiringWithin: string };

type Renewed = {
  readonly runId: string;
  readonly renewed: readonly string[];
  readonly settled: readonly string[];
  readonly errors: readonly LetterError[];
  readonly truncated: boolean;
};

/** `letters renew [name]`. @throws RefusedError where a replay runs. */
export async function lettersRenew(
  name: string,
  options: RenewOptions,
  session: Session,
): Promise<number> {
  const act = await letterActOn(name, options, session);
  const { partitions } = act.location;
  const filter = readSelection(options, { nowMs: session.nowMs, partitions });
  const done = await act.ask<Renewed>("renew", {
    filter: requestFilterOf(filter),
    limit: filter.limit,
    expiringWithinSeconds: (parseDuration(options.expiringWithin) ?? 0) / 1000,
  });
  const { renewed, settled, errors, truncated, runId } = done;
  const gone =
    settled.length === 0 ? "" : `, ${counted(settled)} removed: their records were applied`;
  const said = `${counted(renewed)} renewed${gone}`;
  const next = isFiltered(filter)
    ? `npx backlogorder letters list ${name}`
    : `npx backlogorder status ${name}`;
  const answer = { runId, renewed, settled };
  return tellLetters(
    { kind: "letters-renew", answer, said, errors, truncated, next },
    act,
    session,
  );
}
