import { fingerprintOf } from "../../lambdas/core/fingerprint.ts";
import type {
  PlanCounts,
  PlannedLetter,
  ReplayPlan,
} from "../../lambdas/core/replay/plan-replay.ts";
import type { LetterFilter } from "../letters/letter-filter.ts";
import { ageText, grouped, listingCommand, untilText } from "../letters/letters-text.ts";
import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { nearestExpiryMs } from "./plan.ts";
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
    ...(expiry === undefined ? [] : [`The first of them expires ${untilText(expiry, nowMs)}.`]),
    terminal.paint(
      "quiet",
      `Plan ${planId}, digest ${digest.slice(0, DIGEST_SHOWN)}; nothing was written.`,
    ),
  ].join("\n");
}

type Section = {
  readonly kind: PlannedLetter["class"]["kind"];
  readonly count: keyof PlanCounts;
  readonly title: string;
  readonly tone: "warn" | "title";
  readonly note: (plan: ReplayPlan) => string;
  readonly column: { readonly title: string; readonly text: (letter: PlannedLetter) => string };
};

/** In the order in which they are shown. */
const SECTIONS: readonly Section[] = [
  {
    kind: "overtaken",
    count: "overtaken",
    title: "Overtaken",
    tone: "warn",
    note: ({ overtaken }) =>
      `Later records of their keys were applied since, so they would be applied out of order. ${overtaken ? "A run of this plan sends them" : "They stay where they are without --overtaken"}. Keys are compared by a 32-bit hash, which two keys can share: a letter may be shown here though nothing overtook it.`,
    column: { title: "overtaken by", text: overtakenText },
  },
  {
    kind: "held",
    count: "held",
    title: "Held behind",
    tone: "warn",
    note: () =>
      "An earlier letter of the same key is not among the chosen ones: they stay where they are until it is.",
    column: {
      title: "behind",
      text: (letter) => (letter.class.kind === "held" ? printable(letter.class.behind) : ""),
    },
  },
  {
    kind: "cannot-run",
    count: "cannotRun",
    title: "Cannot run",
    tone: "warn",
    note: () => "They stay where they are.",
    column: {
      title: "why",
      text: (letter) => (letter.class.kind === "cannot-run" ? printable(letter.class.why) : ""),
    },
  },
  {
    kind: "applied",
    count: "applied",
    title: "Already applied",
    tone: "title",
    note: () => "They will be skipped: removed without being sent.",
    column: { title: "attempts", text: ({ attempts }) => String(attempts) },
  },
  {
    kind: "ready",
    count: "ready",
    title: "Ready",
    tone: "title",
    note: ({ unknown }) =>
      `They will be sent, the oldest of each partition first.${unknown === 0 ? "" : ` Nothing tells whether later records of their keys overtook ${grouped(unknown)} of them: where handlers return effects, applied records are found by id only.`}`,
    column: { title: "attempts", text: ({ attempts }) => String(attempts) },
  },
];

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
      { title: "expires" },
      { title: "reason" },
    ],
    letters.map((letter) => [
      printable(letter.id),
      printable(letter.key),
      String(letter.partition),
      column.text(letter),
      ageText(letter.failedAtMs ?? undefined, nowMs),
      untilText(letter.expiresAtMs ?? undefined, nowMs),
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

function overtakenText(letter: PlannedLetter): string {
  if (letter.class.kind !== "overtaken") return "";
  const { by, atLeast } = letter.class;
  return atLeast ? `at least ${grouped(by)}` : grouped(by);
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
