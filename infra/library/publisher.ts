// What a game server in TypeScript or JavaScript imports as "backlogorder/publisher".
// biome-ignore-start lint/performance/noBarrelFile: the package's entry
export * from "../../lambdas/aws/publisher/publish-error.ts";
export {
  Publisher,
  type PublisherChoices,
  type PublisherOptions,
  type PublishResult,
  publisherFor,
} from "../../lambdas/aws/publisher/publisher.ts";
export type { OutgoingRecord } from "../../lambdas/core/wire/outgoing.ts";
// biome-ignore-end lint/performance/noBarrelFile: the package's entry
