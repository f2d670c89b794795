import { recordCommand } from "../record-command.ts";

/** The shell command that has a verb of `letters` do something with one record; `options` are words
 *  that a shell takes as they are. */
export function commandOn(verb: string, id: string, options: string): string {
  return recordCommand(`letters ${verb}`, id, options);
}
