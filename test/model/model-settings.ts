import { innocentReceives, type Settings, settingsOf } from "../../lambdas/core/settings.ts";
import type { Scenario } from "./scenario.ts";

export const PARTITIONS = 16;

/** Times are short, so that a history is; their relations are those of a deployed backlog. */
const BASE = settingsOf({
  partitions: PARTITIONS,
  handlerTimeoutSeconds: 1,
  deadlineMarginSeconds: 1,
  consumerTimeoutSeconds: 4,
  visibilityTimeoutSeconds: 8,
  backoffBaseSeconds: 1,
  backoffCapSeconds: 2,
  replayTimeoutSeconds: 60,
});

export function modelSettings({ batchSize, maxAttempts }: Scenario): Settings {
  const maxReceiveCount = innocentReceives(batchSize, maxAttempts);
  return { ...BASE, batchSize, maxAttempts, maxReceiveCount };
}
