const RATE = /^rate\((?<count>[1-9]\d*) (?<unit>minute|hour|day)s?\)$/;
const SECONDS: Readonly<Record<string, number>> = { minute: 60, hour: 3600, day: 86_400 };

/**
 * Seconds between two runs of a schedule such as `rate(5 minutes)`.
 * @throws RangeError for any other expression; cron and at are not served here.
 */
export function rateSeconds(expression: string): number {
  const { count, unit = "" } = RATE.exec(expression)?.groups ?? {};
  const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN);
  if (Number.isFinite(seconds)) return seconds;
  throw new RangeError(
    `Expected a schedule such as \`rate(1 minute)\` of minutes, hours or days, got \`${expression}\``,
  );
}
