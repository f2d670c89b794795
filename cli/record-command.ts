import { shellQuote } from "./terminal/shell-quote.ts";

/** The shell command that has a verb, such as `letters show`, do something with one record; `options`
 *  are words that a shell takes as they are. */
export function recordCommand(verb: string, id: string, options: string): string {
  const word = shellQuote(id);
  // Where an id looks like an option, the options have to end first.
  return id.startsWith("-")
    ? `npx backlogorder ${verb} ${options} -- ${word}`
    : `npx backlogorder ${verb} ${word} ${options}`;
}
