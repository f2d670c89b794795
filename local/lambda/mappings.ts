import { randomUUID } from "node:crypto";
import type { SQSClient } from "@aws-sdk/client-sqs";
import type { KeptMap } from "../kept-map.ts";
import {
  createEventSourceMapping,
  type EventSourceMapping,
  type MappingProperties,
  type MappingProps,
  type MappingStatus,
} from "./event-source-mapping.ts";
import type { Functions } from "./functions.ts";
import { mappingQueue } from "./mapping-queue.ts";
import type { Backoff, PollLimits } from "./queue-poller.ts";

export type MappingsOptions = {
  readonly functions: Functions;
  readonly sqs: SQSClient;
  readonly region: string;
  readonly backoff: Backoff;
  /** What operators have set, by the mappings' ids. */
  readonly settings: KeptMap<MappingChanges>;
};

/** What is to be changed of a mapping; what is left out stays as it is. */
export type MappingChanges = Partial<MappingProperties & { readonly enabled: boolean }>;

/** Who changes a mapping. What an operator sets outlives what the mapping was created with, until
 *  a template says otherwise. */
export type MappingAuthor = "operator" | "template";

/** A request that Lambda refuses. On the wire: InvalidParameterValueException. */
export class InvalidMappingError extends RangeError {
  constructor(why: string) {
    super(why);
    this.name = "InvalidMappingError";
  }
}

/** On the wire: ResourceInUseException. */
export class MappingBusyError extends Error {
  constructor(state: string) {
    super(
      `Cannot update the event source mapping because it is ${state}. Try again when it is done`,
    );
    this.name = "MappingBusyError";
  }
}

export type Mappings = {
  /** The mapping polls from now on, unless it is to be off at first.
   *  @throws InvalidMappingError or FunctionNotFoundError */
  create(props: MappingProps, options?: { readonly enabled: boolean }): Promise<MappingStatus>;
  /** @throws InvalidMappingError, FunctionNotFoundError or MappingBusyError; nothing is changed then. */
  change(
    mapping: EventSourceMapping,
    changes: MappingChanges,
    author: MappingAuthor,
  ): Promise<void>;
  /** What operators have set of it goes, too. It is there until its running batches are done. */
  remove(mapping: EventSourceMapping): void;
  /** Undefined if there is none. */
  get(uuid: string): EventSourceMapping | undefined;
  list(): readonly EventSourceMapping[];
  /** Ends the polls; resolves when the running batches are done. */
  stop(): Promise<void>;
};

export function createMappings(options: MappingsOptions): Mappings {
  const mappings = new Map<string, EventSourceMapping>();
  return {
    get: (uuid) => mappings.get(uuid),
    list: () => [...mappings.values()],
    async create(props, { enabled } = { enabled: true }): Promise<MappingStatus> {
      const { uuid = randomUUID() } = props;
      if (mappings.has(uuid)) throw new InvalidMappingError(`Mapping already exists: ${uuid}`);
      const { enabled: isOn = enabled, ...set } = options.settings.get(uuid) ?? {};
      const mapping = await mappingOf({ ...props, ...set, uuid }, options);
      mappings.set(uuid, mapping);
      if (isOn) mapping.enable();
      return mapping.status();
    },
    async change(mapping, changes, author): Promise<void> {
      const { enabled, ...properties } = changes;
      await assertChange(mapping, properties, options);
      const { uuid, state } = mapping.status();
      options.settings.set(uuid, settingsAfter(options.settings.get(uuid), changes, author));
      mapping.change(properties);
      if (enabled === true && state === "Disabled") mapping.enable();
      if (enabled === false && state === "Enabled") void mapping.disable();
    },
    remove(mapping): void {
      const { uuid } = mapping.status();
      options.settings.delete(uuid);
      void mapping.end().then(() => mappings.delete(uuid));
    },
    async stop(): Promise<void> {
      const running = [...mappings.values()].filter(({ status }) => status().state !== "Disabled");
      await Promise.all(running.map((mapping) => mapping.disable()));
    },
  };
}

function settingsAfter(
  before: MappingChanges = {},
  changes: MappingChanges,
  author: MappingAuthor,
): MappingChanges {
  if (author === "operator") return { ...before, ...changes };
  const left = Object.entries(before).filter(([name]) => !Object.hasOwn(changes, name));
  return Object.fromEntries(left);
}

async function assertChange(
  mapping: EventSourceMapping,
  properties: Partial<MappingProperties>,
  { functions, sqs }: MappingsOptions,
): Promise<void> {
  const status = mapping.status();
  assertLimits({ ...status, ...properties });
  if (properties.functionName !== undefined) functions.get(properties.functionName);
  // The function that it has may be deleted meanwhile.
  const name = properties.functionName ?? status.functionName;
  const called = functions.list().find((version) => version.name === name);
  const queue = mappingQueue(sqs, status.queueUrl);
  assertVisible(await queue.visibilityTimeoutSeconds(), called?.timeoutSeconds ?? 0);
  const { state } = mapping.status();
  if (state !== "Enabled" && state !== "Disabled") throw new MappingBusyError(state);
}

function assertVisible(visibilitySeconds: number, timeoutSeconds: number): void {
  if (visibilitySeconds >= timeoutSeconds) return;
  throw new InvalidMappingError(
    `Queue visibility timeout: ${visibilitySeconds} seconds is less than Function timeout: ${timeoutSeconds} seconds`,
  );
}

/** @throws InvalidMappingError if a number is outside of what Lambda allows for FIFO queues. */
function assertLimits({ batchSize, maximumConcurrency }: PollLimits): void {
  assertWhole("BatchSize", batchSize, 1, 10);
  assertWhole("MaximumConcurrency", maximumConcurrency, 2, 1000);
}

async function mappingOf(
  props: Required<MappingProps>,
  { functions, sqs, region, backoff }: MappingsOptions,
): Promise<EventSourceMapping> {
  assertLimits(props);
  const { timeoutSeconds } = functions.get(props.functionName);
  const queue = mappingQueue(sqs, props.queueUrl);
  const visibilitySeconds = await queue.visibilityTimeoutSeconds();
  assertVisible(visibilitySeconds, timeoutSeconds);
  return createEventSourceMapping(props, {
    region,
    backoff,
    receive: queue.receive,
    remove: queue.remove,
    async invoke(functionName, event): Promise<unknown> {
      const { payload, functionError } = await functions.invoke(
        functionName,
        JSON.stringify(event),
        // Lambda tries a throttled batch again until its messages reappear, then drops it.
        { waitMs: 1000 * visibilitySeconds },
      );
      if (functionError !== undefined) throw new Error(`Function error ${JSON.stringify(payload)}`);
      return payload;
    },
  });
}

function assertWhole(property: string, value: number, from: number, to: number): void {
  if (!Number.isInteger(value) || value < from || value > to) {
    throw new InvalidMappingError(
      `Expected \`${property}\` to be a whole number from ${from} to ${to}, got \`${value}\``,
    );
  }
}
