import { type Command, InvalidArgumentError } from "commander";
import { type SelectionOptions, withSelection } from "./selection.ts";

/** What commander makes of the options of `replay run`. */
export type RunOptions = SelectionOptions & {
  readonly plan?: string;
  readonly why: string;
  readonly ticket?: string;
  readonly rate?: number;
  readonly ramp?: readonly number[];
  readonly stopAfterFailures: number;
  readonly overtaken?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
};

/** Adds the options of `replay run`. */
export function withRunOptions(command: Command): Command {
  return withSelection(command)
    .option("--plan <file>", "what `replay plan --out` wrote; refused where the letters changed")
    .requiredOption("--why <text>", "what was mended, for those who read the acts", said)
    .option("--ticket <text>", "where this is written down")
    .option("--rate <number>", "letters sent per second at most", aboveZero)
    .option("--ramp <numbers>", "sizes of the first steps, as in 1,5,20; each is awaited", ramp)
    .option(
      "--stop-after-failures <number>",
      "stop once so many letters failed again for the same reason",
      positive,
      1,
    )
    .option("--overtaken", "also send letters that later records of their key have overtaken")
    .option("--force", "even while the consumer is paused or the backlog is at page")
    .option("--yes", "ask nothing");
}

function said(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("Expected what was mended, got an empty text.");
}

function positive(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("Expected a whole number from 1 and up.");
}

function ramp(text: string): readonly number[] {
  return text.split(",").map((step) => positive(step.trim()));
}

function aboveZero(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("Expected a number above 0.");
}
