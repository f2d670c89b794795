import { setTimeout as delay } from "node:timers/promises";
import { SQSClient } from "@aws-sdk/client-sqs";
import { type ListenOptions, type LocalServer, listen } from "../http/server.ts";
import { type KeptMap, openKeptMap } from "../kept-map.ts";
import { createAsyncInvocations } from "./async-invocations.ts";
import { createConcurrency } from "./concurrency.ts";
import { createEnvironmentPool, type EnvironmentStatus } from "./environment-pool.ts";
import type { OutputStream } from "./environment-process.ts";
import type { MappingProps, MappingStatus } from "./event-source-mapping.ts";
import { type InvocationResult, startEnvironment } from "./execution-environment.ts";
import { functionRoutes } from "./function-routes.ts";
import type { FunctionChanges, FunctionProps, FunctionVersion } from "./function-version.ts";
import { createFunctions, type InvocationReport } from "./functions.ts";
import { DIRECT_WAIT_MS, invokeRoute } from "./invoke-route.ts";
import { mappingRoutes } from "./mapping-routes.ts";
import { createMappings, InvalidMappingError, type MappingChanges } from "./mappings.ts";
import type { Backoff } from "./queue-poller.ts";
import { answerRest } from "./rest-route.ts";
import { runtimeVariables } from "./runtime-variables.ts";

/** A line that a function wrote. */
export type FunctionLine = {
  readonly functionName: string;
  readonly stream: OutputStream;
  readonly text: string;
};

export type LambdaOptions = ListenOptions & {
  readonly region: string;
  readonly accountId: string;
  readonly sqsEndpoint: string;
  /** What every function's process gets beside its own variables: PATH, credentials, endpoints. */
  readonly childEnvironment: Readonly<Record<string, string>>;
  readonly onLine?: (line: FunctionLine) => void;
  readonly onInvocation?: (report: InvocationReport) => void;
  /** Invocations at once and processes at most, over all functions. @default 10 */
  readonly concurrency?: number;
  /** A process that idled so long is stopped. @default 60 */
  readonly idleSeconds?: number;
  /** How mappings slow down while their function or queue fails. @default 100 ms up to 1 s */
  readonly backoff?: Backoff;
  /** How long `close` waits for running invocations. @default 2 */
  readonly graceSeconds?: number;
  /** What operators have set of mappings, by their ids. @default in memory */
  readonly mappingSettings?: KeptMap<MappingChanges>;
};

/** The embedded Lambda: the SDK's operations by HTTP, and the same without. */
export type Lambda = LocalServer & {
  /** @throws RangeError if the name is taken or a property is out of range. */
  createFunction(props: FunctionProps): FunctionVersion;
  /** Warm processes are replaced; a running invocation ends on the old code and settings. */
  updateFunction(name: string, changes: FunctionChanges): FunctionVersion;
  /** @throws InvalidMappingError where Lambda would refuse it. */
  createMapping(
    props: MappingProps,
    options?: { readonly enabled: boolean },
  ): Promise<MappingStatus>;
  /** As a template has it: what operators have set of the same is forgotten.
   *  @throws InvalidMappingError, FunctionNotFoundError or MappingBusyError; nothing is changed then. */
  changeMapping(uuid: string, changes: MappingChanges): Promise<void>;
  /** Waits for the outcome. @throws FunctionNotFoundError or ThrottledError */
  invoke(name: string, payload: unknown): Promise<InvocationResult>;
  environments(): readonly EnvironmentStatus[];
  /** Stops polling, waits briefly for what runs, kills what is left. No process outlives it. */
  close(): Promise<void>;
};

const BACKOFF: Backoff = { baseMs: 100, capMs: 1000 };

export async function startLambda(options: LambdaOptions): Promise<Lambda> {
  const { region, accountId, graceSeconds = 2, concurrency: limit = 10 } = options;
  const sqs = sqsClient(options);
  const concurrency = createConcurrency(limit);
  const pool = createEnvironmentPool({
    processesMax: limit,
    idleMs: 1000 * (options.idleSeconds ?? 60),
    start: (version) =>
      startEnvironment({
        version,
        variables: runtimeVariables(version, region, options.childEnvironment),
        onLine: (stream, text) => options.onLine?.({ functionName: version.name, stream, text }),
      }),
  });
  const functions = createFunctions({
    arnPrefix: `arn:aws:lambda:${region}:${accountId}:function:`,
    pool,
    concurrency,
    onInvocation: (report) => options.onInvocation?.(report),
  });
  const asyncInvocations = createAsyncInvocations(functions);
  const mappings = createMappings({
    functions,
    sqs,
    region,
    backoff: options.backoff ?? BACKOFF,
    settings: options.mappingSettings ?? openKeptMap(undefined),
  });
  const routes = [
    invokeRoute(functions, asyncInvocations),
    ...functionRoutes(functions),
    ...mappingRoutes(functions, mappings, region),
  ];
  const server = await listen((request, body) => answerRest(routes, request, body), options);
  process.on("exit", pool.killAll);

  let closing: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    const idle = Promise.all([mappings.stop(), asyncInvocations.close(), concurrency.close()]);
    await Promise.race([idle, delay(1000 * graceSeconds, undefined, { ref: false })]);
    await pool.close();
    await idle;
    process.off("exit", pool.killAll);
    sqs.destroy();
    await server.close();
  };

  return {
    ...server,
    createFunction: (props) => functions.create(props),
    updateFunction: (name, changes) => functions.update(name, changes),
    createMapping: (props, options) => mappings.create(props, options),
    async changeMapping(uuid, changes): Promise<void> {
      const mapping = mappings.get(uuid);
      if (mapping === undefined) throw new InvalidMappingError(`No event source mapping ${uuid}`);
      await mappings.change(mapping, changes, "template");
    },
    invoke: async (name, payload) =>
      functions.invoke(name, JSON.stringify(payload) ?? "{}", { waitMs: DIRECT_WAIT_MS }),
    environments: () => functions.environments(),
    close(): Promise<void> {
      closing ??= stop();
      return closing;
    },
  };
}

/** The embedded SQS checks no signature, but the client will not send without credentials. */
function sqsClient({ region, sqsEndpoint }: LambdaOptions): SQSClient {
  return new SQSClient({
    region,
    endpoint: sqsEndpoint,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
}
