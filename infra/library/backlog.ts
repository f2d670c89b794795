// What another CDK app imports as "backlogorder". A package needs one entry, so these files alone
// hand on what others export.
// biome-ignore-start lint/performance/noBarrelFile: the package's entry

export { DEFAULT_SETTINGS, type Settings, settingsOf } from "../../lambdas/core/settings.ts";
export { type Acknowledgement, acknowledgeFindings } from "../acknowledgements.ts";
export type { GameHandler, GameTable } from "../game-handler.ts";
export { OrderedBacklog, type OrderedBacklogProps } from "../ordered-backlog.ts";
// biome-ignore-end lint/performance/noBarrelFile: the package's entry
