import type { Settings } from "../settings.ts";

/**
 * Seconds until a failed record and those behind it come back: base * 2^(attempts - 1), at most the
 * cap, of which a random part of up to one half is taken off so that partitions that failed together
 * do not come back together. Whole seconds, rounded up, as SQS counts visibility in seconds.
 */
export function backoffSeconds(
  attempts: number,
  settings: Pick<Settings, "backoffBaseSeconds" | "backoffCapSeconds">,
  random: () => number,
): number {
  const { backoffBaseSeconds, backoffCapSeconds } = settings;
  const full = Math.min(backoffCapSeconds, backoffBaseSeconds * 2 ** (attempts - 1));
  return Math.ceil(full * (1 - random() / 2));
}
