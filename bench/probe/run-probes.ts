import type { Probe, ProbeStage } from "./probe.ts";

/** What AWS, or what stands in for it, said. */
export type Answer = { readonly probe: Probe; readonly said: string };

/** Runs probes one after another; each takes away what it made before the next begins. */
export async function runProbes(
  probes: readonly Probe[],
  stage: Omit<ProbeStage, "atEnd">,
  tell: (line: string) => void,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const probe of probes) {
    tell(`${probe.name}: ${probe.question}`);
    const steps: (() => Promise<unknown>)[] = [];
    const atEnd = (step: () => Promise<unknown>): void => void steps.unshift(step);
    const said = await probe
      .answer({ ...stage, atEnd })
      .catch((error) => `no answer: ${messageOf(error)}`);
    const left = await takeAway(steps);
    answers.push({ probe, said: left.length === 0 ? said : `${said}; LEFT BEHIND: ${left}` });
    tell(`  ${answers.at(-1)?.said}`);
  }
  return answers;
}

/** A table to be pasted into a page, with what was assumed beside what was said. */
export function tableOf(answers: readonly Answer[]): string {
  const rows = answers.map(
    ({ probe, said }) => `| ${cell(probe.question)} | ${cell(probe.assumed)} | ${cell(said)} |`,
  );
  return ["| Question | Assumed | Answer |", "|---|---|---|", ...rows].join("\n");
}

async function takeAway(steps: readonly (() => Promise<unknown>)[]): Promise<string> {
  const left: string[] = [];
  for (const step of steps) {
    await step().catch((error) => left.push(messageOf(error)));
  }
  return left.join("; ");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}
