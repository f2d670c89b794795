import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { EditResult } from "../../lambdas/core/letters/edit.ts";
import type { ShownLetter } from "../../lambdas/core/letters/show.ts";
import { CommandError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { planCommand } from "../replay-command.ts";
import type { Session } from "../session.ts";
import { isoOf, jsonOf } from "../terminal/json.ts";
import { formatMoment } from "../terminal/moment.ts";
import { printable } from "../terminal/printable.ts";
import { letterActOn, tellLetters } from "./letter-acts-call.ts";
import type { AskOptions } from "./letter-acts-options.ts";
import { envelopeOf } from "./letters-json.ts";

/** `letters show <id> --payload`: what the game's handler would get. On record as an act. */
export async function lettersShowPayload(
  id: string,
  name: string,
  session: Session,
): Promise<number> {
  const { terminal, json, nowMs } = session;
  const act = await letterActOn(name, {}, session);
  const { sentAtMs, ...shown } = await act.ask<ShownLetter>("show", { id });
  if (json) {
    const letter = { ...shown, sentAt: isoOf(sentAtMs) };
    terminal.write(jsonOf({ ...envelopeOf("letters-payload", act.location, nowMs), letter }));
    return EXIT_CODES.ok;
  }
  const { digest, attributes, copies } = shown;
  terminal.write(terminal.paint("title", `Payload of record ${printable(id)}`));
  terminal.write(`  digest      ${digest}`);
  terminal.write(`  sent        ${formatMoment(sentAtMs)}`);
  if (copies > 1) terminal.write(`  copies      ${copies}; this is one of them`);
  for (const [attribute, value] of Object.entries(attributes)) {
    terminal.write(`  ${printable(attribute).padEnd(12)}${printable(value)}`);
  }
  terminal.write(payloadText(shown));
  terminal.write(`Next: ${planCommand(act.location, id)}`);
  return EXIT_CODES.ok;
}

/** Line by line, for a payload of many lines is read as one; nothing in it moves the cursor. */
function payloadText({ payload, payloadBase64, body }: Omit<ShownLetter, "sentAtMs">): string {
  if (payload !== null) return payload.split("\n").map(printable).join("\n");
  return payloadBase64 === null
    ? `unreadable; the body is ${printable(body ?? "")}`
    : `bytes, in base64: ${payloadBase64}`;
}

export type EditOptions = AskOptions & {
  readonly name: string;
  readonly payload?: string;
  readonly payloadFile?: string;
};

/** `letters edit <id>`. @throws CommandError where the payload cannot be read. */
export async function lettersEdit(
  id: string,
  options: EditOptions,
  session: Session,
): Promise<number> {
  const fields = await payloadFields(options);
  const act = await letterActOn(options.name, options, session);
  const done = await act.ask<EditResult>("edit", { id, ...fields });
  const said = `Record ${printable(id)} ${whatChanged(done)}`;
  const next = planCommand(act.location, id);
  return tellLetters(
    { kind: "letters-edit", answer: done, said, errors: [], truncated: false, next },
    act,
    session,
  );
}

function whatChanged({ changed, digestBefore, digestAfter }: EditResult): string {
  if (!changed) return "has this payload already";
  // The digest of a letter that cannot be read is that of its body.
  if (digestBefore === digestAfter) return "can be read now: its payload is the text that it held";
  return `has another payload: ${digestBefore.slice(0, 12)} -> ${digestAfter.slice(0, 12)}`;
}

async function payloadFields({
  payload,
  payloadFile,
}: EditOptions): Promise<Readonly<Record<string, string>>> {
  if ((payload === undefined) === (payloadFile === undefined)) {
    throw new CommandError({
      code: "no-payload",
      message: "Expected one of `--payload` and `--payload-file`",
      remedy: "give the new payload by one of them",
    });
  }
  if (payload !== undefined) return { payload };
  const file = payloadFile ?? "";
  try {
    const bytes = await (file === "-" ? buffer(process.stdin) : readFile(file));
    return { payloadBase64: bytes.toString("base64") };
  } catch (cause) {
    throw new CommandError(
      {
        code: "no-payload",
        message: `The file ${file} could not be read (${cause})`,
        remedy: "give the path of a file that holds the payload",
      },
      { cause },
    );
  }
}

/** `letters purge <id>`. */
export async function lettersPurge(
  id: string,
  options: AskOptions & { readonly name: string },
  session: Session,
): Promise<number> {
  const act = await letterActOn(options.name, options, session);
  const done = await act.ask<{ readonly runId: string; readonly removed: number }>("purge", { id });
  const said =
    done.removed === 0
      ? `Record ${printable(id)} had no letter any more, and is listed no more`
      : `The letter of record ${printable(id)} is deleted for good`;
  const next = `npx backlogorder letters discarded ${options.name}`;
  return tellLetters(
    { kind: "letters-purge", answer: done, said, errors: [], truncated: false, next },
    act,
    session,
  );
}
