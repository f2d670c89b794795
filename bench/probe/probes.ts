import { FILL } from "./fill.ts";
import { FUNCTION_PROBE } from "./function-probe.ts";
import { MOVE_TASK } from "./move-task.ts";
import { MOVED_MESSAGE, MOVING_RECEIVE } from "./moved-letters.ts";
import { OLDEST_AGE } from "./oldest-age.ts";
import type { Probe } from "./probe.ts";

/** Every probe; the one that takes longest last. */
export const PROBES: readonly Probe[] = [
  MOVED_MESSAGE,
  MOVING_RECEIVE,
  MOVE_TASK,
  FUNCTION_PROBE,
  FILL,
  OLDEST_AGE,
];
