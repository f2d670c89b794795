import { readAct } from "../../lambdas/aws/ledger/acts-ledger.ts";
import { type Act, type ActLetter, standingOf } from "../../lambdas/core/acts/act.ts";
import { locateBacklog } from "../backlog-location.ts";
import { CommandError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { envelopeOf } from "../letters/letters-json.ts";
import { ageText, grouped } from "../letters/letters-text.ts";
import { ledgerAt, type Session } from "../session.ts";
import { formatDuration } from "../terminal/duration.ts";
import { jsonOf } from "../terminal/json.ts";
import { formatMoment } from "../terminal/moment.ts";
import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import { actJson, countsText } from "./act-text.ts";

/**
 * `acts show <id>`: one act with what became of each letter.
 * @throws CommandError where there is no act of this id.
 */
export async function actsShow(id: string, name: string, session: Session): Promise<number> {
  const { clients, terminal, nowMs, json } = session;
  const location = await locateBacklog(clients.ssm, name);
  const act = await readAct(ledgerAt(session, location), id);
  if (act === undefined) throw unknownAct(id, name);
  const { letters, omitted } = act;
  if (json) {
    const answer = {
      ...envelopeOf("acts-show", location, nowMs),
      act: { ...actJson(act, nowMs), letters, omitted },
    };
    terminal.write(jsonOf(answer));
    return EXIT_CODES.ok;
  }
  const state = standingOf(act, nowMs);
  terminal.write(
    terminal.paint("title", `Act ${printable(act.actId)}: ${printable(act.operation)}, ${state}`),
  );
  for (const [label, value] of factsOf(act, nowMs)) {
    terminal.write(`  ${label.padEnd(LABEL)}${value}`);
  }
  if (letters.length > 0) terminal.write(letterTable(letters, terminal.width));
  if (omitted > 0)
    terminal.write(`  and ${grouped(omitted)} more letters, which are not on record`);
  terminal.write(`Next: ${nextCommand(state, name)}`);
  return EXIT_CODES.ok;
}

const LABEL = 12;

function factsOf(act: Act, nowMs: number): readonly (readonly [label: string, value: string])[] {
  const { startedAtMs, endedAtMs, planDigest, filter, error } = act;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["who", act.who ?? "unknown"],
    ["why", act.why ?? "not said"],
    ["ticket", act.ticket],
    ["began", `${formatMoment(startedAtMs)} (${ageText(startedAtMs, nowMs)})`],
    ["took", endedAtMs === undefined ? undefined : formatDuration(endedAtMs - startedAtMs)],
    ["plan", planDigest],
    ["filter", filter && JSON.stringify(filter)],
    ["came to", countsText(act)],
    ["error", error],
  ];
  return facts.flatMap(([label, value]) =>
    value === undefined ? [] : [[label, printable(value)] as const],
  );
}

function letterTable(letters: readonly ActLetter[], width: number | undefined): string {
  return tableOf(
    [{ title: "letter" }, { title: "outcome" }, { title: "reason, before and after" }],
    letters.map(({ id, outcome, oldReason, newReason }) => [
      printable(id),
      printable(outcome),
      printable([oldReason, newReason].filter((reason) => reason != null).join(" -> ")),
    ]),
    { width },
  );
}

function nextCommand(state: ReturnType<typeof standingOf>, name: string): string {
  return state === "running" || state === "interrupted"
    ? `npx backlogorder replay status ${name}`
    : `npx backlogorder status ${name}`;
}

function unknownAct(id: string, name: string): CommandError {
  return new CommandError({
    code: "unknown-act",
    message: `The ledger of \`${name}\` has no act \`${printable(id)}\`, or its time is over`,
    remedy: `take an id from \`npx backlogorder acts list ${name}\``,
  });
}
