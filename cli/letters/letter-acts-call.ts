import { type BacklogLocation, locateBacklog } from "../backlog-location.ts";
import { callerArn } from "../caller.ts";
import { CommandError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { invokeOperation } from "../invoke-operation.ts";
import type { Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { printable } from "../terminal/printable.ts";
import type { AskOptions } from "./letter-acts-options.ts";
import { envelopeOf } from "./letters-json.ts";
import { grouped } from "./letters-text.ts";

export type LetterError = { readonly id: string; readonly error: string };

/** One act on letters: the backlog it is for, and how its function is asked. */
export type LetterAct = {
  readonly location: BacklogLocation;
  readonly ask: <Answer>(
    operation: string,
    fields: Readonly<Record<string, unknown>>,
  ) => Promise<Answer>;
};

/** Operations that see payloads, which another function does for other people. */
const OF_PAYLOAD: ReadonlySet<string> = new Set(["show", "edit", "purge"]);

/** @throws CommandError where there is no such backlog, or its stack has no such function. */
export async function letterActOn(
  name: string,
  { why, ticket }: Partial<AskOptions>,
  session: Session,
): Promise<LetterAct> {
  const { clients } = session;
  const location = await locateBacklog(clients.ssm, name);
  let caller: Promise<string> | undefined;
  return {
    location,
    async ask<Answer>(
      operation: string,
      fields: Readonly<Record<string, unknown>>,
    ): Promise<Answer> {
      const functionName = functionFor(operation, location);
      // Only now: what is refused before needs no caller.
      caller ??= callerArn(clients.sts);
      const requestedBy = await caller;
      const request = { operation, requestedBy, why, ticket, ...fields };
      return invokeOperation<Answer>(clients.lambda, { name, functionName }, request);
    },
  };
}

function functionFor(operation: string, { replay, payload, name }: BacklogLocation): string {
  if (!OF_PAYLOAD.has(operation)) return replay;
  if (payload !== undefined) return payload;
  throw new CommandError({
    code: "no-payload-function",
    message: `The stack of \`${name}\` has no function that sees payloads`,
    remedy: "it is of an earlier version: deploy it again",
  });
}

/** What an act on several letters came to. */
export type LettersDone = {
  readonly kind: string;
  /** What was asked for, and with which options. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** One sentence. */
  readonly said: string;
  readonly errors: readonly LetterError[];
  readonly truncated: boolean;
  readonly next: string;
};

/** Prints it. @returns `unfinished` where something failed or is left. */
export function tellLetters(
  { kind, answer, said, errors, truncated, next }: LettersDone,
  { location }: LetterAct,
  { terminal, json, nowMs }: Session,
): number {
  if (json) {
    const envelope = envelopeOf(kind, location, nowMs);
    terminal.write(jsonOf({ ...envelope, ...answer, errors, truncated, next }));
  } else {
    terminal.write(terminal.paint("title", said));
    for (const { id, error } of errors.slice(0, ERRORS)) {
      terminal.write(`  ${printable(id)}: ${printable(error)}`);
    }
    if (errors.length > ERRORS) {
      terminal.write(`  and ${grouped(errors.length - ERRORS)} more; \`--json\` has them all`);
    }
    if (truncated) terminal.write("More letters may be left that match: run it again.");
    terminal.write(`Next: ${next}`);
  }
  return errors.length > 0 || truncated ? EXIT_CODES.unfinished : EXIT_CODES.ok;
}

const ERRORS = 20;
