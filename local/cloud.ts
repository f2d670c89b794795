import { endAll } from "./cloud/end-all.ts";
import { ACCOUNT_ID, cloudEnvironment, REGION } from "./cloud/environment.ts";
import { openKeptCloud } from "./cloud/kept-cloud.ts";
import { reportQueues } from "./cloud/report-queues.ts";
import { callWatcher, type ServiceCall } from "./cloud/service-calls.ts";
import type { StateChange } from "./cloudwatch/alarm-transitions.ts";
import { invocationMetrics } from "./cloudwatch/lambda-metrics.ts";
import { type CloudWatch, type CloudWatchOptions, startCloudWatch } from "./cloudwatch/server.ts";
import type { KeptStack } from "./deploy/kept-stack.ts";
import { type DynamoDb, startDynamoDb } from "./dynamodb/server.ts";
import type { ListenOptions, LocalServer } from "./http/server.ts";
import type { KeptMap } from "./kept-map.ts";
import { type FunctionLine, type Lambda, startLambda } from "./lambda/server.ts";
import { type Sqs, startSqs } from "./sqs/server.ts";
import { type Ssm, startSsm } from "./ssm/server.ts";
import { startSts } from "./sts/server.ts";

export type CloudOptions = {
  /** How much faster than on AWS schedules, metric periods and alarms run, 1 and up. @default 1 */
  readonly divisor?: number;
  /** Batches that one event source mapping may have under way, whatever its template says; from 2.
   *  Each is a process of this machine. @default 4 */
  readonly maximumConcurrency?: number;
  /** Folder that keeps queues, tables, parameters and deployed stacks over a restart, a kill
   *  included. One cloud at a time; metrics and the states of alarms begin anew. @default in memory */
  readonly directory?: string;
  /** Services that run already, in processes of their own; who started them ends them. */
  readonly services?: { readonly sqs?: Sqs; readonly dynamodb?: DynamoDb };
  /** Each line that a function writes. */
  readonly onLine?: (line: FunctionLine) => void;
  /** Each change of an alarm's state, with the topics that are notified of it. */
  readonly onStateChange?: (change: StateChange) => void;
  /** What each request asks for, and who it is that asks. @default nothing is recorded */
  readonly onCall?: (call: ServiceCall) => void;
};

/** The embedded services of one account and region, on loopback, empty until something is deployed. */
export type Cloud = {
  readonly region: string;
  readonly accountId: string;
  readonly divisor: number;
  readonly maximumConcurrency: number;
  readonly sqs: Sqs;
  readonly dynamodb: DynamoDb;
  readonly cloudwatch: CloudWatch;
  readonly ssm: Ssm;
  readonly sts: LocalServer;
  readonly lambda: Lambda;
  /** Stacks deployed here, by name. */
  readonly stacks: KeptMap<KeptStack>;
  /** Variables that point any SDK client at these services: endpoints, region, credentials. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends what consumes before what it consumes from, and all of it even where one part fails.
   *  @throws AggregateError of what failed */
  close(): Promise<void>;
};

/** Invocations beside those of a mapping: replay, snapshot, lock, and one to spare. */
const OTHER_INVOCATIONS = 4;

/**
 * Starts all services and connects them: queues and invocations report to CloudWatch, and so do the
 * functions' log lines in embedded metric format.
 * @throws RangeError for an option out of range; nothing is left running then.
 */
export async function startCloud(options: CloudOptions = {}): Promise<Cloud> {
  const { divisor = 1, maximumConcurrency = 4 } = options;
  assertOptions(divisor, maximumConcurrency);
  const parts: (() => Promise<void>)[] = [];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    // The latest part is the first to end.
    closing ??= endAll(parts.toReversed());
    return closing;
  };
  const kept = openKeptCloud(options.directory);
  const watch = options.onCall && { onRequest: callWatcher(options.onCall) };
  const keep = async <T extends LocalServer>(
    name: string,
    start: (at: ListenOptions) => Promise<T>,
  ): Promise<T> => {
    const server = await kept.serve(name, (port) => start({ port, ...watch }));
    parts.push(() => server.close());
    return server;
  };
  try {
    const cloudwatch = await keep("cloudwatch", (at) =>
      startCloudWatch({ ...at, ...cloudWatchOptions(divisor, options) }),
    );
    const account = { region: REGION, accountId: ACCOUNT_ID };
    const { services } = options;
    const sqs =
      services?.sqs ?? (await keep("sqs", (at) => startSqs({ ...at, ...account, ...kept.queues })));
    parts.push(reportQueues(sqs, cloudwatch, divisor));
    const servers = {
      cloudwatch,
      sqs,
      ssm: await keep("ssm", (at) => startSsm({ ...at, parameters: kept.openParameters() })),
      sts: await keep("sts", (at) => startSts({ ...at, accountId: ACCOUNT_ID })),
      dynamodb:
        services?.dynamodb ??
        (await keep("dynamodb", (at) => startDynamoDb({ ...at, ...kept.tables }))),
    };
    const environment = cloudEnvironment(servers);
    const lambda = await keep("lambda", (at) =>
      startLambda({
        ...at,
        ...account,
        mappingSettings: kept.mappingSettings,
        sqsEndpoint: sqs.url,
        childEnvironment: environment,
        concurrency: maximumConcurrency + OTHER_INVOCATIONS,
        onLine(line): void {
          if (line.stream === "stdout") cloudwatch.ingestLine(line.text);
          options.onLine?.(line);
        },
        onInvocation(report): void {
          for (const datum of invocationMetrics(report, Date.now())) cloudwatch.record(datum);
        },
      }),
    );
    // Known only now; a function's process is given the variables when it starts.
    environment["AWS_ENDPOINT_URL_LAMBDA"] = lambda.url;
    const stacks = kept.openStacks();
    return {
      ...account,
      ...servers,
      lambda,
      stacks,
      environment,
      divisor,
      maximumConcurrency,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function cloudWatchOptions(divisor: number, { onStateChange }: CloudOptions): CloudWatchOptions {
  return { divisor, ...(onStateChange && { onStateChange }) };
}

function assertOptions(divisor: number, maximumConcurrency: number): void {
  if (!(divisor >= 1)) {
    throw new RangeError(`Expected \`divisor\` to be a number from 1 and up, got \`${divisor}\``);
  }
  if (!Number.isInteger(maximumConcurrency) || maximumConcurrency < 2) {
    throw new RangeError(
      `Expected \`maximumConcurrency\` to be a whole number from 2 and up, got \`${maximumConcurrency}\``,
    );
  }
}
