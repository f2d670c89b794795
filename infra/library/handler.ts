// What a game's handler imports as "backlogorder/handler". It becomes part of the consumer's bundle.
// biome-ignore-start lint/performance/noBarrelFile: the package's entry
export type { Effect, Handler } from "../../lambdas/aws/ledger/effects.ts";
export { type HandlerContext, PoisonRecordError } from "../../lambdas/core/handler.ts";
export type { BacklogRecord } from "../../lambdas/core/record.ts";
// biome-ignore-end lint/performance/noBarrelFile: the package's entry
