/**
 * A duration as an operator types it: `90s`, `15m`, `2h`, `7d`, or several as in `1h30m`, largest
 * first. Milliseconds; undefined where the text is none of these.
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?:in)?)?(?:(\d+)s)?$/.exec(text);
  if (match === null || text === "") return undefined;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = match;
  const totalMs =
    Number(days) * DAY_MS +
    Number(hours) * HOUR_MS +
    Number(minutes) * MINUTE_MS +
    Number(seconds) * SECOND_MS;
  return Number.isSafeInteger(totalMs) ? totalMs : undefined;
}

/**
 * A duration as people read it, in its two largest units: `14m02s`, `2h05m`, `3d04h`. A second unit
 * of zero is left out (`10m`), and what is smaller is cut off, so that an age is never shown above
 * what it is. Negative durations begin with a minus.
 */
export function formatDuration(durationMs: number): string {
  if (durationMs < 0) return `-${formatDuration(-durationMs)}`;
  for (const { name, sizeMs, next } of UNITS) {
    if (durationMs < sizeMs) continue;
    const rest = next === undefined ? 0 : Math.floor((durationMs % sizeMs) / next.sizeMs);
    const tail = next === undefined || rest === 0 ? "" : `${pad(rest)}${next.name}`;
    return `${Math.floor(durationMs / sizeMs)}${name}${tail}`;
  }
  return "0s";
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Unit = { readonly name: string; readonly sizeMs: number; readonly next?: Unit };

const SECOND: Unit = { name: "s", sizeMs: SECOND_MS };
const MINUTE: Unit = { name: "m", sizeMs: MINUTE_MS, next: SECOND };
const HOUR: Unit = { name: "h", sizeMs: HOUR_MS, next: MINUTE };
const DAY: Unit = { name: "d", sizeMs: DAY_MS, next: HOUR };
const UNITS = [DAY, HOUR, MINUTE, SECOND];

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
