import { randomUUID } from "node:crypto";
import type { SQSClient } from "@aws-sdk/client-sqs";
import type { KeptMap } from "../kept-map.ts";
import {
  createEventSourceMapping,
  type EventSourceMapping,
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
  readonly settings: KeptMap<MappingSettings>;
};

/** What can be changed of a mapping; it outlives what the mapping was created with. */
export type MappingSettings = PollLimits & { readonly enabled: boolean };

/** A request that Lambda refuses. On the wire: InvalidParameterValueException. */
export class InvalidMappingError extends RangeError {
  constructor(why: string) {
    super(why);
    this.name = "InvalidMappingError";
  }
}

export type Mappings = {
  /** The mapping polls from now on, unless it is to be off at first.
   *  @throws InvalidMappingError or FunctionNotFoundError */
  create(props: MappingProps, options?: { readonly enabled: boolean }): Promise<MappingStatus>;
  /** @throws InvalidMappingError for limits out of range; nothing is changed then. */
  change(mapping: EventSourceMapping, settings: MappingSettings): void;
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
      const settings = { enabled, ...options.settings.get(uuid) };
      const mapping = await mappingOf({ ...props, ...limitsOf(settings), uuid }, options);
      mappings.set(uuid, mapping);
      if (settings.enabled) mapping.enable();
      return mapping.status();
    },
    change(mapping, { enabled, ...limits }): void {
      assertLimits(limits);
      const { uuid, state } = mapping.status();
      options.settings.set(uuid, { enabled, ...limits });
      mapping.setLimits(limits);
      if (enabled && state === "Disabled") mapping.enable();
      if (!enabled && state === "Enabled") void mapping.disable();
    },
    async stop(): Promise<void> {
      const running = [...mappings.values()].filter(({ status }) => status().state !== "Disabled");
      await Promise.all(running.map((mapping) => mapping.disable()));
    },
  };
}

/** @throws InvalidMappingError if a number is outside of what Lambda allows for FIFO queues. */
export function assertLimits({ batchSize, maximumConcurrency }: PollLimits): void {
  assertWhole("BatchSize", batchSize, 1, 10);
  assertWhole("MaximumConcurrency", maximumConcurrency, 2, 1000);
}

function limitsOf({ enabled, ...limits }: Partial<MappingSettings>): Partial<PollLimits> {
  return limits;
}

async function mappingOf(
  props: Required<MappingProps>,
  { functions, sqs, region, backoff }: MappingsOptions,
): Promise<EventSourceMapping> {
  assertLimits(props);
  const { timeoutSeconds } = functions.get(props.functionName);
  const queue = mappingQueue(sqs, props.queueUrl);
  const visibilitySeconds = await queue.visibilityTimeoutSeconds();
  if (visibilitySeconds < timeoutSeconds) {
    throw new InvalidMappingError(
      `Queue visibility timeout: ${visibilitySeconds} seconds is less than Function timeout: ${timeoutSeconds} seconds`,
    );
  }
  return createEventSourceMapping(props, {
    region,
    backoff,
    receive: queue.receive,
    remove: queue.remove,
    async invoke(event): Promise<unknown> {
      const { payload, functionError } = await functions.invoke(
        props.functionName,
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
