import { UNPRINTABLE } from "./printable.ts";

/**
 * One argument as a shell takes it, and as a terminal may show it: as it is where nothing in it is
 * special. What no terminal may show is written in octal, which bash, zsh and ksh read (POSIX since
 * 2024); `printable` would change the argument.
 */
export function shellQuote(argument: string): string {
  if (argument.search(UNPRINTABLE) >= 0) return `$'${escaped(argument)}'`;
  // A leading `=` is a command's path to zsh.
  return /^(?!=)[\w@%+=:,./-]+$/.test(argument)
    ? argument
    : `'${argument.replaceAll("'", `'\\''`)}'`;
}

function escaped(argument: string): string {
  return argument.replace(/[\\']/g, "\\$&").replace(UNPRINTABLE, octalOf);
}

/** Three digits for each byte of UTF-8: what stands behind it cannot be taken for a fourth. */
function octalOf(character: string): string {
  const bytes = [...Buffer.from(character)];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
