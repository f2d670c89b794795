import { BACKLOG_NAME } from "../lambdas/core/limits.ts";

const GENERATION_MAX = 999;

/**
 * The name of one generation of a backlog, by which its stack, parameters and alarms are called: the
 * first is `<name>`, the second `<name>-g2`. Each is a backlog of its own with another partition
 * count; docs/repartition.md moves from one to the next.
 * @throws RangeError for a generation that is no whole number from 1 to 999, or a name that gets too
 *   long.
 */
export function generationName(name: string, generation: number): string {
  if (!Number.isInteger(generation) || generation < 1 || generation > GENERATION_MAX) {
    throw new RangeError(
      `Expected \`generation\` to be a whole number from 1 to ${GENERATION_MAX}, got \`${generation}\``,
    );
  }
  if (generation === 1) return name;
  const whole = `${name}-g${generation}`;
  if (BACKLOG_NAME.test(name) && !BACKLOG_NAME.test(whole)) {
    throw new RangeError(
      `Expected \`name\` to leave room for its generation, as in \`${whole}\`, within 64 characters. Choose a shorter one`,
    );
  }
  return whole;
}
