import { fingerprintOf } from "../../lambdas/core/fingerprint.ts";
import type { PlanCounts, ReplayPlan } from "../../lambdas/core/replay/plan-replay.ts";
import type { LetterFilter } from "../letters/letter-filter.ts";
import { ageText, grouped, listingCommand, untilText } from "../letters/letters-text.ts";
import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { nearestExpiryMs } from "./plan.ts";
import { SECTIONS, type Section } from "./plan-sections.ts";
import { selectionWords } from "./selection.ts";

/** The plan as people read it: what is dangerous first, what is ready last. */
export function planText(
  plan: ReplayPlan,
  filter: LetterFilter,
  { terminal, nowMs }: { readonly terminal: Terminal; readonly nowMs: number },
): string {
  const { counts, digest, planId } = plan;
  const words = selectionWords(filter);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const expiry = nearestExpiryMs(plan);
  return [
    terminal.paint(
      "title",
      `${grouped(total)} ${total === 1 ? "letter" : "letters"}: ${summary(counts)}`,
    ),
    ...(words === "" ? [] : [terminal.paint("quiet", `Filter: ${words}`)]),
    ...SECTIONS.flatMap((section) => sectionLines(section, plan, terminal, nowMs)),
    ...remarks(plan),
    ...(expiry === undefined ? [] : [`The first of them expires ${expiryText(expiry, nowMs)}.`]),
    terminal.paint(
      "quiet",
      `Plan ${planId}, digest ${digest.slice(0, DIGEST_SHOWN)}; nothing was written.`,
    ),
  ].join("\n");
}

/** Letters shown of a class; the JSON form has more. */
const ROWS = 10;

/** Hexadecimal digits of the digest: enough for people to tell two plans apart. */
const DIGEST_SHOWN = 12;

function summary(counts: PlanCounts): string {
  return SECTIONS.filter(({ count }) => counts[count] > 0 || count === "ready")
    .map(({ count, title }) => `${grouped(counts[count])} ${title.toLowerCase()}`)
    .join(", ");
}

function sectionLines(
  { kind, count, title, tone, note, column }: Section,
  plan: ReplayPlan,
  terminal: Terminal,
  nowMs: number,
): readonly string[] {
  const total = plan.counts[count];
  if (total === 0) return [];
  const letters = plan.letters.filter((letter) => letter.class.kind === kind).slice(0, ROWS);
  const table = tableOf(
    [
      { title: "id" },
      { title: "key" },
      { title: "partition", align: "right" },
      { title: column.title },
      { title: "failed" },
      { title: kind === "expired" ? "expired" : "expires" },
      { title: "reason" },
    ],
    letters.map((letter) => [
      printable(letter.id),
      printable(letter.key),
      String(letter.partition),
      column.text(letter),
      ageText(letter.failedAtMs ?? undefined, nowMs),
      (kind === "expired" ? ageText : expiryText)(letter.expiresAtMs ?? undefined, nowMs),
      printable(fingerprintOf(letter.reason ?? "")) || "(no text)",
    ]),
    { width: terminal.width },
  );
  return [
    `${terminal.paint(tone, `${title}: ${grouped(total)}`)}. ${note(plan)}`,
    ...(letters.length === 0 ? [] : [table]),
    ...(total > letters.length ? [`  and ${grouped(total - letters.length)} more`] : []),
  ];
}

/** SQS may be late with a letter whose time is over, so that it is not called expired yet. */
function expiryText(expiresAtMs: number | undefined, nowMs: number): string {
  return expiresAtMs !== undefined && expiresAtMs <= nowMs
    ? "at any moment"
    : untilText(expiresAtMs, nowMs);
}

function remarks({ notListed, truncated, backlog }: ReplayPlan): readonly string[] {
  return [
    ...(notListed > 0
      ? [
          `The dead-letter queue holds about ${grouped(notListed)} more that the ledger does not list, so this plan says nothing of them: SQS moved them, or they cannot be read. \`${listingCommand(backlog)}\` lists them.`,
        ]
      : []),
    ...(truncated ? ["More letters match than the plan covers: run it, then plan again."] : []),
  ];
}
