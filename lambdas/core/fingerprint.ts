import { createHash } from "node:crypto";

/**
 * What a reason says once all that differs from record to record is taken out of it: quoted values,
 * times, ids and numbers. Two reasons of one fault have one fingerprint. At most 200 characters.
 */
export function fingerprintOf(reason: string): string {
  const text = reason
    .replace(/\s+/g, " ")
    .trim()
    .replace(QUOTED, "$1<value>")
    .replace(TIME, "<time>")
    .replace(UUID, "<id>")
    .replace(NUMBER, "<n>$1")
    .replace(WORD, (word) => (isId(word) ? "<id>" : word))
    .replace(COMPOUND, "<id>")
    .replace(LIST, "$1, …");
  return text.length <= CHARACTERS ? text : `${text.slice(0, CHARACTERS - 1).toWellFormed()}…`;
}

/** Short name of a fingerprint, to be typed: 8 hexadecimal digits. */
export function groupIdOf(fingerprint: string): string {
  return createHash("sha256").update(fingerprint).digest("hex").slice(0, 8);
}

const CHARACTERS = 200;

/** A single quote only opens where a word does not end, so that `can't` opens nothing. */
const QUOTED = /(^|[^\p{L}\p{N}])(?:"[^"]*"|`[^`]*`|'[^']*'(?![\p{L}\p{N}])|“[^”]*”|«[^»]*»)/gu;

const TIME =
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\b/g;

const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;

/** Digits that no letter touches, with the sign, the fraction and a unit that may follow them. */
const NUMBER =
  /(?<![\p{L}\p{N}_]|[\p{L}\p{N}][-.])-?\d+(?:[.,]\d+)?(ms|s|m|h|d|x|%|[kmg]?i?b)?(?![\p{L}\p{N}_]|[-.:][\p{L}\p{N}])/giu;

const WORD = /(?<!<)[\p{L}\p{N}]+(?!>)/gu;

/** Pieces that make one id together: `<id>-<id>`, `10.0.0.1`. */
const COMPOUND = /<(?:id|n)>(?:[-_.:]<(?:id|n)>)+/g;

const LIST = /(<(?:id|n|value|time)>)(?:, ?\1)+/g;

/** Letters and digits mixed are an id, but for short codes in capitals such as `E1234`. */
function isId(word: string): boolean {
  return /\p{N}/u.test(word) && !/^[A-Z]{1,4}\d{1,5}$/.test(word);
}
