import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { KeptStack } from "../deploy/kept-stack.ts";
import type { DynamoDbOptions } from "../dynamodb/server.ts";
import type { LocalServer } from "../http/server.ts";
import { type KeptMap, openKeptMap } from "../kept-map.ts";
import type { MappingChanges } from "../lambda/mappings.ts";
import type { SqsOptions } from "../sqs/server.ts";
import type { KeptParameters } from "../ssm/parameter-store.ts";

/** What a cloud leaves for the next one, in a folder or, without one, in memory. */
export type KeptCloud = {
  readonly queues: Pick<SqsOptions, "journal">;
  readonly tables: Pick<DynamoDbOptions, "path">;
  readonly mappingSettings: KeptMap<MappingChanges>;
  /** Starts a service on the port that it had, or on another one where that is taken. */
  serve<T extends LocalServer>(name: string, start: (port: number) => Promise<T>): Promise<T>;
  /** With the queues' addresses as they are now: to be opened behind the queues. */
  openParameters(): KeptParameters;
  openStacks(): KeptMap<KeptStack>;
};

export function openKeptCloud(directory: string | undefined): KeptCloud {
  if (directory !== undefined) mkdirSync(directory, { recursive: true });
  const inside = (name: string): string | undefined =>
    directory === undefined ? undefined : join(directory, name);
  const addresses = openKeptMap<string>(inside("addresses.json"));
  const moved = new Map<string, string>();
  // Queue URLs stand in parameters and in what refers to a queue.
  const reword = (text: string): string =>
    [...moved].reduce((all, [from, to]) => all.replaceAll(`${from}/`, `${to}/`), text);
  return {
    queues: directory === undefined ? {} : { journal: join(directory, "queues.ndjson") },
    tables: directory === undefined ? {} : { path: join(directory, "tables") },
    mappingSettings: openKeptMap(inside("mappings.json")),
    async serve<T extends LocalServer>(
      name: string,
      start: (port: number) => Promise<T>,
    ): Promise<T> {
      const before = addresses.get(name);
      const server = await startAt(before, start);
      if (before !== undefined && before !== server.url) moved.set(before, server.url);
      addresses.set(name, server.url);
      return server;
    },
    openParameters: () => openKeptMap(inside("parameters.json"), { reword }),
    openStacks: () => openKeptMap(inside("stacks.json"), { reword }),
  };
}

async function startAt<T>(
  address: string | undefined,
  start: (port: number) => Promise<T>,
): Promise<T> {
  if (address === undefined) return start(0);
  try {
    return await start(Number(new URL(address).port));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return start(0);
  }
}
