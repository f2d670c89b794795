import { listWithheld } from "../../lambdas/aws/ledger/letter-withheld.ts";
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
import { ledgerAt, type Session } from "../session.ts";
import { parseDuration } from "../terminal/duration.ts";
import { printable } from "../terminal/printable.ts";
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

export type RestoreOptions = AskOptions & { readonly name: string; readonly all?: boolean };

/** `letters restore [ids...]`. @throws RefusedError where neither ids nor `--all` are given. */
export async function lettersRestore(
  ids: readonly string[],
  options: RestoreOptions,
  session: Session,
): Promise<number> {
  const { name, all = false } = options;
  if (ids.length > 0 === all) {
    throw new RefusedError({
      code: all ? "all-and-filter" : "no-filter",
      message: all ? "Expected ids or `--all`, got both" : "Neither ids nor `--all` are given",
      remedy: `take ids from \`npx backlogorder letters discarded ${name}\`, or say \`--all\``,
    });
  }
  const act = await letterActOn(name, options, session);
  const wanted = all ? await discardedIds(session, act.location) : ids;
  const restored: string[] = [];
  const errors: LetterError[] = [];
  for (let start = 0; start < wanted.length; start += IDS_PER_CALL) {
    const some = wanted.slice(start, start + IDS_PER_CALL);
    const done = await act.ask<Restored>("restore", { ids: some });
    restored.push(...done.restored);
    errors.push(...done.errors);
  }
  const next = `npx backlogorder replay plan ${name}${restored.map((id) => ` --id ${printable(id)}`).slice(0, 1)}`;
  const said = `${counted(restored)} restored: a replay takes them again`;
  const truncated = false;
  const answer = { restored };
  return tellLetters(
    { kind: "letters-restore", answer, said, errors, truncated, next },
    act,
    session,
  );
}

type Restored = { readonly restored: readonly string[]; readonly errors: readonly LetterError[] };

/** Ids of one request. */
const IDS_PER_CALL = 1000;

async function discardedIds(
  session: Session,
  location: Parameters<typeof ledgerAt>[1],
): Promise<readonly string[]> {
  const withheld = await listWithheld(ledgerAt(session, location));
  return withheld.filter(({ kind }) => kind === "discarded").map(({ id }) => id);
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
