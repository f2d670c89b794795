import { ServiceError } from "../http/aws-json.ts";
import type { Answer } from "../http/server.ts";
import type { FunctionVersion } from "./function-version.ts";
import { FunctionNotFoundError, type Functions } from "./functions.ts";
import { page } from "./page.ts";
import { json, type Route } from "./rest-route.ts";

const ONE = /^\/2015-03-31\/functions\/(?<name>[^/]+)$/;

/** GetFunction, GetFunctionConfiguration, GetFunctionEventInvokeConfig, ListFunctions and
 *  DeleteFunction. */
export function functionRoutes(functions: Functions): readonly Route[] {
  return [
    {
      method: "GET",
      pattern: /^\/2015-03-31\/functions\/?$/,
      answer({ query }): Answer {
        const { items, nextMarker } = page(functions.list(), query);
        return json(200, { Functions: items.map(configurationOf), NextMarker: nextMarker });
      },
    },
    {
      method: "DELETE",
      pattern: ONE,
      answer({ path }): Answer {
        functions.remove(functionNamed(functions, path["name"]).name);
        return { status: 204, contentType: "application/json", body: "" };
      },
    },
    {
      method: "GET",
      pattern: ONE,
      answer({ path }): Answer {
        const version = functionNamed(functions, path["name"]);
        return json(200, {
          Configuration: configurationOf(version),
          Code: { RepositoryType: "S3", Location: `file://${version.codeDirectory}` },
          Tags: {},
        });
      },
    },
    {
      method: "GET",
      pattern: /^\/2019-09-25\/functions\/(?<name>[^/]+)\/event-invoke-config$/,
      answer({ path }): Answer {
        const { arn, asyncRetriesMax } = functionNamed(functions, path["name"]);
        return json(200, { FunctionArn: arn, MaximumRetryAttempts: asyncRetriesMax });
      },
    },
    {
      method: "GET",
      pattern: /^\/2015-03-31\/functions\/(?<name>[^/]+)\/configuration$/,
      answer: ({ path }) => json(200, configurationOf(functionNamed(functions, path["name"]))),
    },
  ];
}

/** By name, ARN or partial ARN, with or without `:$LATEST`.
 *  @throws ServiceError ResourceNotFoundException */
export function functionNamed(functions: Functions, given = ""): FunctionVersion {
  const parts = given.replace(/:\$LATEST$/, "").split(":");
  try {
    return functions.get(parts.at(-1) ?? "");
  } catch (error) {
    if (!(error instanceof FunctionNotFoundError)) throw error;
    throw new ServiceError("ResourceNotFoundException", error.message, { status: 404 });
  }
}

function configurationOf(version: FunctionVersion): Readonly<Record<string, unknown>> {
  return {
    FunctionName: version.name,
    FunctionArn: version.arn,
    Runtime: "nodejs24.x",
    Handler: version.handler,
    CodeSize: version.codeBytes,
    CodeSha256: version.codeSha256,
    Timeout: version.timeoutSeconds,
    MemorySize: version.memoryMb,
    LastModified: version.lastModified,
    Version: "$LATEST",
    Environment: { Variables: version.environment },
    PackageType: "Zip",
    State: "Active",
    LastUpdateStatus: "Successful",
    LoggingConfig: { LogFormat: "Text", LogGroup: `/aws/lambda/${version.name}` },
  };
}
