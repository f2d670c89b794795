import type { BacklogLocation } from "../backlog-location.ts";
import type { KeptPlan } from "./plan-file.ts";
import type { RunReport } from "./run-report.ts";
import { commandWords } from "./selection.ts";

/** The command to run after a run: what went wrong first, then what is left. */
export function runNext(
  { outcome, failed, pending, left, truncated }: RunReport,
  { filter }: Pick<KeptPlan, "filter">,
  { name }: Pick<BacklogLocation, "name">,
): string {
  const plan = `npx backlogorder replay plan ${name} ${commandWords(filter)}`;
  if (outcome === "unknown") return `npx backlogorder replay status ${name}`;
  if (failed > 0) return `npx backlogorder letters groups ${name}`;
  if (outcome === "cancelled" || truncated) return plan;
  if (pending > 0) return `npx backlogorder status ${name}`;
  if (left.overtaken > 0) return `${plan} --overtaken`;
  if (left.held + left.cannotRun + left.expired > 0) return plan;
  return `npx backlogorder status ${name}`;
}
