import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { run } from "../stage.ts";
import { plannedLetter, planOf, setReplay } from "./replay-stage.ts";

export const PLAN = planOf(["a", "b", "c"].map((id) => plannedLetter({ id })));

/** Runs all letters without being asked. */
export function runAll(...words: readonly string[]) {
  return run("replay", "run", "grants", "--all", "--why", "prices are back", "--yes", ...words);
}

/** A plan file as the command writes it, changed. */
export async function planFile(change: object = {}) {
  const path = join(mkdtempSync(join(tmpdir(), "run-")), "plan.json");
  onTestFinished(() => rmSync(join(path, ".."), { recursive: true }));
  setReplay({ plan: PLAN });
  const { out } = await run("replay", "plan", "grants", "--key", "player:1", "--json");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(out), ...change }));
  return path;
}

export function runPlan(path: string, ...words: readonly string[]) {
  return run("replay", "run", "grants", "--plan", path, "--why", "mended", ...words);
}
