import { InvalidArgumentError } from "commander";
import { parseDuration } from "../terminal/duration.ts";

/** What every act is asked with. */
export type AskOptions = {
  readonly why: string;
  readonly ticket?: string;
  readonly yes?: boolean;
};

/** A text that says something. */
export function said(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("Expected a reason, got an empty text.");
}

/** A duration such as `4d`, kept as it was typed. */
export function duration(text: string): string {
  if (parseDuration(text) !== undefined) return text;
  throw new InvalidArgumentError("Expected a duration such as 12h or 4d.");
}
