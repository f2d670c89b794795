import type { BacklogLocation } from "./backlog-location.ts";
import { shellQuote } from "./terminal/shell-quote.ts";

/** The shell command that says what a replay of one record would do, and does nothing. */
export function planCommand({ name }: Pick<BacklogLocation, "name">, id: string): string {
  return `npx backlogorder replay plan ${name} --id ${shellQuote(id)}`;
}
