import { AssertionError } from "node:assert";
import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import type { Case } from "./case.ts";
import type { SqsAt } from "./sqs-at.ts";

/** How one rule fared. `seen` is undefined where the server keeps it, else what it did instead. */
export type Answer = { readonly title: string; readonly seen: string | undefined };

/** A server that does not answer at all must not hold up the run. */
const CASE_SECONDS_MAX = 30;

const SEEN_CHARACTERS_MAX = 160;

/** Asks all cases, some of them side by side: many of them only wait. */
export async function askCases(
  cases: readonly Case[],
  at: SqsAt,
  { atOnce = 8 }: { readonly atOnce?: number } = {},
): Promise<readonly Answer[]> {
  const waiting = [...cases.entries()];
  const answers: Answer[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, { title, ask }] = next;
      answers[place] = { title, seen: await seenIn(ask(at), CASE_SECONDS_MAX) };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answers;
}

/** What was seen instead of what was asserted, within so many seconds; undefined = all held. */
export async function seenIn(asked: Promise<void>, seconds: number): Promise<string | undefined> {
  const ended = new AbortController();
  try {
    await Promise.race([asked, late(seconds, ended.signal)]);
    return undefined;
  } catch (error) {
    return textOf(error).slice(0, SEEN_CHARACTERS_MAX);
  } finally {
    ended.abort();
  }
}

async function late(seconds: number, signal: AbortSignal) {
  await delay(seconds * 1000, undefined, { signal });
  throw new Error(`no answer in ${seconds} s`);
}

function textOf(error: unknown): string {
  if (error instanceof AssertionError) {
    return `${inspect(error.actual)}, not ${inspect(error.expected)}`.replaceAll(/\s+/g, " ");
  }
  return String(error);
}
