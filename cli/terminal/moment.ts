import { beginsWithDay } from "../../lambdas/core/calendar-day.ts";
import { CommandError } from "../command-error.ts";
import { parseDuration } from "./duration.ts";

/**
 * A moment as an operator types it, in milliseconds since 1970: an ISO 8601 date or date-time (UTC
 * where it names no zone), or a duration such as `2h`, which counts back from `nowMs`, to 1970 at most.
 * @throws CommandError where the text is neither.
 */
export function parseMoment(text: string, nowMs: number): number {
  const agoMs = parseDuration(text);
  if (agoMs !== undefined) return Math.max(0, nowMs - agoMs);
  const momentMs = ISO.test(text) && beginsWithDay(text) ? Date.parse(withZone(text)) : Number.NaN;
  if (Number.isNaN(momentMs)) {
    throw new CommandError({
      code: "bad-moment",
      message: `Expected a moment such as 2h or 2026-01-31T03:00:00Z, got \`${text}\``,
      remedy: "say how long ago (90s, 15m, 2h, 7d) or an ISO 8601 date",
    });
  }
  return momentMs;
}

/** A moment in UTC as people read it: to the second, what is smaller cut off. */
export function formatMoment(momentMs: number): string {
  return `${new Date(momentMs).toISOString().slice(0, 19)}Z`;
}

/** A moment in UTC to the millisecond, which `parseMoment` reads again as the same one: for commands,
 *  which are to select the same letters. */
export function exactMoment(momentMs: number): string {
  return new Date(momentMs).toISOString().replace(".000Z", "Z");
}

/** The shape only, not whether there is such a day. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** JavaScript takes a date-time without a zone as local time; operators share what they type. */
function withZone(text: string): string {
  return text.includes("T") && !/(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text;
}
