import { listActs } from "../../lambdas/aws/ledger/acts-ledger.ts";
import { type Act, standingOf } from "../../lambdas/core/acts/act.ts";
import { locateBacklog } from "../backlog-location.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { envelopeOf } from "../letters/letters-json.ts";
import { ageText } from "../letters/letters-text.ts";
import { recordCommand } from "../record-command.ts";
import { ledgerAt, type Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import { actJson, countsText } from "./act-text.ts";

export type ActsListOptions = { readonly limit: number };

/** `acts list [name]`: what operators had done, the newest first. */
export async function actsList(
  name: string,
  { limit }: ActsListOptions,
  session: Session,
): Promise<number> {
  const { clients, terminal, nowMs, json } = session;
  const location = await locateBacklog(clients.ssm, name);
  const acts = await listActs(ledgerAt(session, location), limit);
  if (json) {
    const answer = {
      ...envelopeOf("acts-list", location, nowMs),
      acts: acts.map((act) => actJson(act, nowMs)),
    };
    terminal.write(jsonOf(answer));
    return EXIT_CODES.ok;
  }
  terminal.write(terminal.paint("title", titleOf(acts.length, limit)));
  if (acts.length > 0) terminal.write(actTable(acts, nowMs, terminal.width));
  terminal.write(`Next: ${nextCommand(acts, name)}`);
  return EXIT_CODES.ok;
}

function titleOf(count: number, limit: number): string {
  if (count === 0) return "No acts are on record";
  return count === limit ? `The newest ${count} acts` : `${count} ${count === 1 ? "act" : "acts"}`;
}

function actTable(acts: readonly Act[], nowMs: number, width: number | undefined): string {
  return tableOf(
    [
      { title: "act" },
      { title: "began" },
      { title: "what" },
      { title: "state" },
      { title: "came to" },
      { title: "who" },
      { title: "why" },
    ],
    acts.map((act) => [
      printable(act.actId),
      ageText(act.startedAtMs, nowMs),
      printable(act.operation),
      standingOf(act, nowMs),
      countsText(act),
      printable(act.who ?? "unknown"),
      printable(act.why ?? ""),
    ]),
    { width },
  );
}

function nextCommand([first]: readonly Act[], name: string): string {
  return first === undefined
    ? `npx backlogorder status ${name}`
    : recordCommand("acts show", first.actId, `--name ${name}`);
}
