import { locateBacklog } from "../backlog-location.ts";
import { EXIT_CODES } from "../exit-code.ts";
import type { Session } from "../session.ts";
import { isoOf, jsonOf } from "../terminal/json.ts";
import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import { envelopeOf } from "./letters-json.ts";
import { ageText, grouped, untilText } from "./letters-text.ts";
import { readWithheld, type WithheldLetter } from "./read-withheld.ts";

/** `letters discarded [name]`. */
export async function lettersDiscarded(name: string, session: Session): Promise<number> {
  const { clients, terminal, json, nowMs } = session;
  const location = await locateBacklog(clients.ssm, name);
  const withheld = await readWithheld(session, location);
  if (json) {
    const list = withheld.map(withheldJson);
    terminal.write(jsonOf({ ...envelopeOf("letters-discarded", location, nowMs), list }));
    return EXIT_CODES.ok;
  }
  terminal.write(terminal.paint("title", titleOf(withheld)));
  if (withheld.length > 0) terminal.write(withheldTable(withheld, nowMs, terminal.width));
  terminal.write(`Next: ${nextFor(withheld, name)}`);
  return EXIT_CODES.ok;
}

function titleOf(withheld: readonly WithheldLetter[]): string {
  const gone = withheld.filter(({ expired }) => expired).length;
  const more = `, ${grouped(gone)} more ${gone === 1 ? "has" : "have"} expired`;
  const kept = counted({ length: withheld.length - gone });
  return `${kept} withheld from replays${gone === 0 ? "" : more}`;
}

function withheldTable(
  withheld: readonly WithheldLetter[],
  nowMs: number,
  width: number | undefined,
): string {
  return tableOf(
    [
      { title: "id" },
      { title: "key" },
      { title: "state" },
      { title: "since" },
      { title: "expires" },
      { title: "by" },
      { title: "why" },
      { title: "reason" },
    ],
    withheld.map(({ id, key, kind, reason, mark, expiresAtMs, expired }) => [
      printable(id),
      printable(key),
      stateText(kind, expired),
      ageText(mark.atMs, nowMs),
      expired ? ageText(expiresAtMs, nowMs) : untilText(expiresAtMs, nowMs),
      printable(mark.who ?? "unknown"),
      printable(mark.why ?? ""),
      printable(reason ?? ""),
    ]),
    { width },
  );
}

function stateText(kind: WithheldLetter["kind"], expired: boolean): string {
  if (expired) return "expired";
  return kind === "editing" ? "edit interrupted" : kind;
}

function withheldJson({
  kind,
  mark,
  failedAtMs,
  enqueuedAtMs,
  expiresAtMs,
  ...letter
}: WithheldLetter): Readonly<Record<string, unknown>> {
  const { who, why, actId, atMs } = mark;
  const moments = {
    enqueuedAt: isoOf(enqueuedAtMs),
    failedAt: isoOf(failedAtMs),
    expiresAt: isoOf(expiresAtMs),
  };
  return { ...letter, ...moments, state: kind, who, why, actId, at: isoOf(atMs) };
}

function nextFor(withheld: readonly WithheldLetter[], name: string): string {
  return withheld.every(({ expired }) => expired)
    ? `npx backlogorder letters list ${name}`
    : `npx backlogorder letters restore ID --name ${name} --why '...'`;
}

/** `1 letter`, `2 letters`. */
export function counted({ length }: { readonly length: number }): string {
  return `${grouped(length)} ${length === 1 ? "letter" : "letters"}`;
}
