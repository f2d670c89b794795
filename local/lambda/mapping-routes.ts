import * as v from "valibot";
import { ServiceError } from "../http/aws-json.ts";
import type { Answer } from "../http/server.ts";
import type { EventSourceMapping } from "./event-source-mapping.ts";
import { functionNamed } from "./function-routes.ts";
import type { Functions } from "./functions.ts";
import {
  InvalidMappingError,
  MappingBusyError,
  type MappingChanges,
  type Mappings,
} from "./mappings.ts";
import { page } from "./page.ts";
import { json, jsonBody, type Route } from "./rest-route.ts";

const ONE = /^\/2015-03-31\/event-source-mappings\/(?<uuid>[^/]+)$/;

/** ListEventSourceMappings, and Get, Update and DeleteEventSourceMapping. */
export function mappingRoutes(
  functions: Functions,
  mappings: Mappings,
  region: string,
): readonly Route[] {
  const configurationOf = (mapping: EventSourceMapping): Readonly<Record<string, unknown>> =>
    configuration(mapping, functions, region);
  return [
    {
      method: "GET",
      pattern: /^\/2015-03-31\/event-source-mappings\/?$/,
      answer({ query }): Answer {
        const { items, nextMarker } = page(chosen(functions, mappings, query), query);
        const found = items.map(configurationOf);
        return json(200, { EventSourceMappings: found, NextMarker: nextMarker });
      },
    },
    {
      method: "GET",
      pattern: ONE,
      answer: ({ path }) => json(200, configurationOf(mappingWith(mappings, path["uuid"]))),
    },
    {
      method: "PUT",
      pattern: ONE,
      async answer(request): Promise<Answer> {
        const mapping = mappingWith(mappings, request.path["uuid"]);
        await update(mappings, mapping, changesOf(jsonBody(request), functions));
        return json(202, configurationOf(mapping));
      },
    },
    {
      method: "DELETE",
      pattern: ONE,
      answer({ path }): Answer {
        const mapping = mappingWith(mappings, path["uuid"]);
        mappings.remove(mapping);
        return json(202, configurationOf(mapping));
      },
    },
  ];
}

function chosen(
  functions: Functions,
  mappings: Mappings,
  query: URLSearchParams,
): readonly EventSourceMapping[] {
  const wanted = query.get("FunctionName");
  const functionName = wanted === null ? undefined : functionNamed(functions, wanted).name;
  const queueArn = query.get("EventSourceArn") ?? undefined;
  return mappings.list().filter((mapping) => {
    const status = mapping.status();
    return (
      (functionName === undefined || status.functionName === functionName) &&
      (queueArn === undefined || status.queueArn === queueArn)
    );
  });
}

function mappingWith(mappings: Mappings, uuid = ""): EventSourceMapping {
  const mapping = mappings.get(uuid);
  if (mapping === undefined) {
    throw new ServiceError("ResourceNotFoundException", `No event source mapping ${uuid}`, {
      status: 404,
    });
  }
  return mapping;
}

const Changes = v.strictObject({
  UUID: v.optional(v.string()),
  FunctionName: v.optional(v.string()),
  Enabled: v.optional(v.boolean()),
  BatchSize: v.optional(v.number()),
  ScalingConfig: v.optional(v.strictObject({ MaximumConcurrency: v.optional(v.number()) })),
  FunctionResponseTypes: v.optional(v.array(v.literal("ReportBatchItemFailures"))),
});

function changesOf(body: Readonly<Record<string, unknown>>, functions: Functions): MappingChanges {
  const { success, output, issues } = v.safeParse(Changes, body);
  if (!success) {
    throw new ServiceError(
      "InvalidParameterValueException",
      `This Lambda can change ${Object.keys(Changes.entries).join(", ")}: ${issues[0].message}`,
    );
  }
  const { Enabled, FunctionName, BatchSize, ScalingConfig, FunctionResponseTypes } = output;
  const maximumConcurrency = ScalingConfig?.MaximumConcurrency;
  return {
    ...(Enabled !== undefined && { enabled: Enabled }),
    ...(FunctionName !== undefined && {
      functionName: functionNamed(functions, FunctionName).name,
    }),
    ...(BatchSize !== undefined && { batchSize: BatchSize }),
    ...(maximumConcurrency !== undefined && { maximumConcurrency }),
    ...(FunctionResponseTypes !== undefined && {
      reportBatchItemFailures: FunctionResponseTypes.length > 0,
    }),
  };
}

async function update(
  mappings: Mappings,
  mapping: EventSourceMapping,
  changes: MappingChanges,
): Promise<void> {
  try {
    await mappings.change(mapping, changes, "operator");
  } catch (error) {
    if (error instanceof MappingBusyError) {
      throw new ServiceError("ResourceInUseException", error.message);
    }
    if (!(error instanceof InvalidMappingError)) throw error;
    throw new ServiceError("InvalidParameterValueException", `${error}`);
  }
}

function configuration(
  mapping: EventSourceMapping,
  functions: Functions,
  region: string,
): Readonly<Record<string, unknown>> {
  const status = mapping.status();
  const arn = functions.arnOf(status.functionName);
  const account = arn.split(":")[4];
  return {
    UUID: status.uuid,
    EventSourceMappingArn: `arn:aws:lambda:${region}:${account}:event-source-mapping:${status.uuid}`,
    EventSourceArn: status.queueArn,
    FunctionArn: arn,
    BatchSize: status.batchSize,
    MaximumBatchingWindowInSeconds: 0,
    ScalingConfig: { MaximumConcurrency: status.maximumConcurrency },
    FunctionResponseTypes: status.reportBatchItemFailures ? ["ReportBatchItemFailures"] : [],
    State: status.state,
    StateTransitionReason: "USER_INITIATED",
    LastModified: status.lastModifiedMs / 1000,
    LastProcessingResult: status.lastProcessingResult,
  };
}
