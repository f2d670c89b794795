import type { LetterError } from "../../lambdas/core/letters/letter-ports.ts";
import { explainError } from "../explain-error.ts";
import { RefusedError } from "../refused-error.ts";
import { planCommand } from "../replay-command.ts";
import type { Session } from "../session.ts";
import { type LetterAct, letterActOn, tellLetters } from "./letter-acts-call.ts";
import { counted } from "./letter-acts-discarded.ts";
import type { AskOptions } from "./letter-acts-options.ts";
import { readWithheld } from "./read-withheld.ts";

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
  const wanted = all ? await restorableIds(act, session) : ids;
  const { restored, errors } = await restoreAll(wanted, act);
  const [first] = restored;
  const next =
    first === undefined
      ? `npx backlogorder letters discarded ${name}`
      : planCommand(act.location, first);
  const said = `${counted(restored)} restored: a replay takes them again`;
  const answer = { restored };
  return tellLetters(
    { kind: "letters-restore", answer, said, errors, truncated: false, next },
    act,
    session,
  );
}

type Restored = { readonly restored: readonly string[]; readonly errors: readonly LetterError[] };

/** Ids of one request. */
const IDS_PER_CALL = 1000;

/** Calls after the first that fails are not made. What those before it did is told all the same.
 *  @throws where the first call fails. */
async function restoreAll(ids: readonly string[], act: LetterAct): Promise<Restored> {
  const restored: string[] = [];
  const errors: LetterError[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_CALL) {
    const rest = ids.slice(start);
    const some = rest.slice(0, IDS_PER_CALL);
    try {
      const done = await act.ask<Restored>("restore", { ids: some });
      restored.push(...done.restored);
      errors.push(...done.errors);
    } catch (error) {
      if (start === 0) throw error;
      errors.push(...some.map((id) => ({ id, error: unknownAfter(error) })));
      errors.push(...rest.slice(IDS_PER_CALL).map((id) => ({ id, error: NOT_ASKED })));
      break;
    }
  }
  return { restored, errors };
}

const NOT_ASKED = "the function was not asked, for an earlier call had failed: run again";

function unknownAfter(error: unknown): string {
  const why = explainError(error)?.message ?? String(error);
  return error instanceof RefusedError
    ? `not restored: ${why}`
    : `it may be restored or not: ${why}. Run again`;
}

async function restorableIds(
  { location }: LetterAct,
  session: Session,
): Promise<readonly string[]> {
  const withheld = await readWithheld(session, location);
  return withheld
    .filter(({ kind, expired }) => kind === "discarded" && !expired)
    .map(({ id }) => id);
}
