import { listWithheld } from "../../lambdas/aws/ledger/letter-withheld.ts";
import type { Withheld } from "../../lambdas/core/letters/withheld.ts";
import { locateBacklog } from "../backlog-location.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { ledgerAt, type Session } from "../session.ts";
import { isoOf, jsonOf } from "../terminal/json.ts";
import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import { envelopeOf } from "./letters-json.ts";
import { ageText, grouped } from "./letters-text.ts";

/** `letters discarded [name]`. */
export async function lettersDiscarded(name: string, session: Session): Promise<number> {
  const { clients, terminal, json, nowMs } = session;
  const location = await locateBacklog(clients.ssm, name);
  const withheld = await listWithheld(ledgerAt(session, location));
  if (json) {
    const list = withheld.map(withheldJson);
    terminal.write(jsonOf({ ...envelopeOf("letters-discarded", location, nowMs), list }));
    return EXIT_CODES.ok;
  }
  terminal.write(terminal.paint("title", `${counted(withheld)} withheld from replays`));
  if (withheld.length > 0) terminal.write(withheldTable(withheld, nowMs, terminal.width));
  terminal.write(`Next: ${nextFor(withheld, name)}`);
  return EXIT_CODES.ok;
}

function withheldTable(
  withheld: readonly Withheld[],
  nowMs: number,
  width: number | undefined,
): string {
  return tableOf(
    [
      { title: "id" },
      { title: "key" },
      { title: "state" },
      { title: "since" },
      { title: "by" },
      { title: "why" },
      { title: "reason" },
    ],
    withheld.map(({ id, key, kind, reason, mark }) => [
      printable(id),
      printable(key),
      kind === "editing" ? "edit interrupted" : kind,
      ageText(mark.atMs, nowMs),
      printable(mark.who ?? "unknown"),
      printable(mark.why ?? ""),
      printable(reason ?? ""),
    ]),
    { width },
  );
}

function withheldJson({
  kind,
  mark,
  failedAtMs,
  enqueuedAtMs,
  ...letter
}: Withheld): Readonly<Record<string, unknown>> {
  const { who, why, actId, atMs } = mark;
  const moments = { enqueuedAt: isoOf(enqueuedAtMs), failedAt: isoOf(failedAtMs) };
  return { ...letter, ...moments, state: kind, who, why, actId, at: isoOf(atMs) };
}

function nextFor([first]: readonly Withheld[], name: string): string {
  return first === undefined
    ? `npx backlogorder letters list ${name}`
    : `npx backlogorder letters restore ID --name ${name} --why '...'`;
}

/** `1 letter`, `2 letters`. */
export function counted({ length }: { readonly length: number }): string {
  return `${grouped(length)} ${length === 1 ? "letter" : "letters"}`;
}
