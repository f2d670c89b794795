/**
 * A text from outside as a terminal may show it: one line, and every control or formatting character
 * as `\u{..}`, since a key or a reason must not move the cursor, change colours or turn the line
 * around.
 */
export function printable(text: string): string {
  return text
    .replace(/[\t\n\r]+/g, " ")
    .replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Control and formatting characters, lone surrogates, and ends of lines and paragraphs. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
