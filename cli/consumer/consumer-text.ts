import type { Pause } from "../../lambdas/core/acts/consumer-operations.ts";
import type { RunningLease } from "../../lambdas/core/replay/replay-ports.ts";
import { ageText, untilText } from "../letters/letters-text.ts";
import { isoOf } from "../terminal/json.ts";
import { formatMoment } from "../terminal/moment.ts";
import { printable } from "../terminal/printable.ts";
import type { ConsumerState } from "./consumer-state.ts";
import { generationBefore } from "./generation-before.ts";

/** One sentence on whether the consumer is fed, and who paused it why. */
export function consumerText(
  { feeding, pause, mappingState }: ConsumerState,
  name: string,
  nowMs: number,
): string {
  const paused = pause === undefined ? undefined : pauseText(pause, nowMs);
  switch (feeding) {
    case "on":
      return paused === undefined
        ? "Consumer: on"
        : `Consumer: on, though it is recorded as ${paused}: somebody switched it on by hand`;
    case "off":
      return paused === undefined
        ? `Consumer: off, and not by \`pause\`: ${waitsFor(name)}somebody or something else disabled its event source mapping`
        : `Consumer: ${paused}`;
    case "changing":
      return `Consumer: ${printable(mappingState ?? "").toLowerCase()}${paused === undefined ? "" : `, ${paused}`}`;
    case "unknown":
      return paused === undefined
        ? "Consumer: not known, Lambda could not be asked"
        : `Consumer: ${paused}; whether it stands still is not known, Lambda could not be asked`;
    default:
      return feeding satisfies never;
  }
}

/** A later generation is deployed switched off, so that none of its records overtakes one before. */
function waitsFor(name: string): string {
  const before = generationBefore(name);
  return before === undefined
    ? ""
    : `it waits until \`${before}\` is drained (docs/repartition.md), or `;
}

/** One sentence on the replay that runs. */
export function replayText(
  { runId, who, sinceMs, expiresAtMs, cancelled }: RunningLease,
  nowMs: number,
): string {
  const end = cancelled ? "cancelled and coming to its end, " : "";
  return `Replay: run ${printable(runId)} by ${printable(who)}, since ${ageText(sinceMs, nowMs)}, ${end}its lease ends ${untilText(expiresAtMs, nowMs)}`;
}

/** The consumer as scripts read it (docs/command.md). */
export function consumerJson({
  feeding,
  mappingState,
  pause,
}: ConsumerState): Readonly<Record<string, unknown>> {
  return { feeding, mappingState, pause: pause && pauseJson(pause) };
}

export function runningReplayJson({
  runId,
  who,
  sinceMs,
  expiresAtMs,
  cancelled,
}: RunningLease): Readonly<Record<string, unknown>> {
  return { runId, who, since: isoOf(sinceMs), leaseEnds: isoOf(expiresAtMs), cancelled };
}

function pauseJson({ pausedBy, why, ticket, at }: Pause): Readonly<Record<string, unknown>> {
  return { who: pausedBy, why, ticket, since: isoOf(at) };
}

function pauseText({ pausedBy, why, ticket, at }: Pause, nowMs: number): string {
  const reference = ticket === undefined ? "" : ` (${printable(ticket)})`;
  return `paused since ${formatMoment(at)} (${ageText(at, nowMs)}) by ${printable(pausedBy ?? "unknown")}: ${printable(why)}${reference}`;
}
