import type {
  PlanCounts,
  PlannedLetter,
  ReplayPlan,
} from "../../lambdas/core/replay/plan-replay.ts";
import { grouped } from "../letters/letters-text.ts";
import { printable } from "../terminal/printable.ts";

/** One class of a plan as people read it. */
export type Section = {
  readonly kind: PlannedLetter["class"]["kind"];
  readonly count: keyof PlanCounts;
  readonly title: string;
  readonly tone: "warn" | "title";
  readonly note: (plan: ReplayPlan) => string;
  readonly column: { readonly title: string; readonly text: (letter: PlannedLetter) => string };
};

/** In the order in which they are shown. */
export const SECTIONS: readonly Section[] = [
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
    kind: "expired",
    count: "expired",
    title: "Expired",
    tone: "warn",
    note: () =>
      "SQS deleted their letters when the retention ended, so nothing is left to send. If the game lacks such an event, and no run has left it pending, publish it again under a new id.",
    column: { title: "attempts", text: ({ attempts }) => String(attempts) },
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

function overtakenText(letter: PlannedLetter): string {
  if (letter.class.kind !== "overtaken") return "";
  const { by, atLeast } = letter.class;
  return atLeast ? `at least ${grouped(by)}` : grouped(by);
}
