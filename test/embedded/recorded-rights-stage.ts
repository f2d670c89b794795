import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQSClient } from "@aws-sdk/client-sqs";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { App, Stack } from "aws-cdk-lib";
import { vi } from "vitest";
import { OrderedBacklog } from "../../infra/ordered-backlog.ts";
import { Wallet } from "../../infra/wallet.ts";
import { publisherFor } from "../../lambdas/aws/publisher/publisher.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import type { OutgoingRecord } from "../../lambdas/core/wire/outgoing.ts";
import { endAll } from "../../local/cloud/end-all.ts";
import type { ServiceCall } from "../../local/cloud/service-calls.ts";
import { type Cloud, startCloud } from "../../local/cloud.ts";
import { readAssembly } from "../../local/deploy/assembly.ts";
import { deploy } from "../../local/deploy/deploy.ts";
import { rightsOfRole } from "./recorded-rights-of-role.ts";

export const PARTITIONS = 4;

/** The second generation of the backlog `rights` on this machine, whose first one is drained, and
 *  everything that its functions have asked for. */
export type RightsStage = Awaited<ReturnType<typeof startRightsStage>>;

export async function startRightsStage() {
  const folder = mkdtempSync(join(tmpdir(), "recorded-rights-"));
  const calls: ServiceCall[] = [];
  const ends = [async () => rmSync(folder, { recursive: true, force: true })];
  const close = () => endAll(ends.splice(0).toReversed());
  try {
    const assembly = synthesized(folder);
    const cloud = await startCloud({ onCall: (call) => calls.push(call) });
    ends.push(() => cloud.close());
    measureFirstGeneration(cloud);
    const deployed = await deploy({ ...assembly, cloud });
    ends.push(async () => deployed.stop());
    const client = ({ url }: { readonly url: string }) => ({
      ...{ region: cloud.region, endpoint: url },
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
    });
    const sqs = new SQSClient(client(cloud.sqs));
    const { Parameter } = await new SSMClient(client(cloud.ssm)).send(
      new GetParameterCommand({ Name: "/backlogorder/rights-g2" }),
    );
    const publisher = publisherFor(Parameter?.Value ?? "", sqs);
    const queueUrl = (part: string) => {
      const queues = deployed.resourcesOf("AWS::SQS::Queue");
      return queues.find(({ logicalId }) => logicalId.includes(part))?.physicalId ?? "";
    };
    const functions = new Map(
      deployed
        .resourcesOf("AWS::Lambda::Function")
        .map((each) => [nameIn(each.logicalId), each] as const),
    );
    return {
      /** Names of the functions, as the constructs are called. */
      functions: [...functions.keys()],
      publish: (records: readonly OutgoingRecord[]) => publisher.publish(records),
      /** Until the source queue is empty. */
      drained: () =>
        vi.waitUntil(
          async () => {
            const { visible, inFlight } = await readQueueSize(sqs, queueUrl("Source"));
            return visible + inFlight === 0;
          },
          { timeout: 20_000, interval: 100 },
        ),
      /** The function's answer. @throws where it fails */
      // biome-ignore lint/suspicious/noExplicitAny: each operation answers in its own way
      async invoke(name: string, request: Readonly<Record<string, unknown>> = {}): Promise<any> {
        const { physicalId = "" } = functions.get(name) ?? {};
        const { payload, functionError } = await cloud.lambda.invoke(physicalId, request);
        if (functionError !== undefined) throw new Error(`${name}: ${JSON.stringify(payload)}`);
        return payload;
      },
      /** What a function asked for, each once, as `sqs:SendMessage <ARN>`. */
      recorded(name: string): readonly string[] {
        const caller = functions.get(name)?.physicalId;
        const asked = calls.filter((call) => call.caller === caller);
        return sorted(asked.map(({ action, resource }) => `${action} ${resource}`));
      },
      /** What a function's role grants, in the same words. */
      granted(name: string): readonly string[] {
        return sorted(rightsOfRole(deployed, String(functions.get(name)?.properties["Role"])));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function synthesized(folder: string) {
  const { context } = JSON.parse(readFileSync(new URL("../../cdk.json", import.meta.url), "utf8"));
  const app = new App({ context, outdir: join(folder, "cdk.out") });
  const stack = new Stack(app, "Rights");
  new OrderedBacklog(stack, "Backlog", {
    settings: {
      ...{ name: "rights", partitions: PARTITIONS, maxAttempts: 2, backoffBaseSeconds: 1 },
      ...{ consumerTimeoutSeconds: 20, replayRatePerSecond: 100 },
    },
    handler: new Wallet(stack, "Wallet").openTo({
      entry: "test/embedded/recorded-rights-handler.ts",
    }),
    generation: 2,
    allowEdit: true,
  });
  return readAssembly(app.synth().directory, stack.stackName);
}

/** As its snapshots would have, so that the gate lets the second generation pass. */
function measureFirstGeneration({ cloudwatch }: Cloud): void {
  for (const minutesAgo of [2, 1]) {
    for (const metricName of ["Count", "Letters"]) {
      cloudwatch.record({
        ...{ namespace: "Backlogorder", dimensions: { Backlog: "rights" } },
        ...{ metricName, timestampMs: Date.now() - minutesAgo * 60_000, value: 0 },
      });
    }
  }
}

/** `BacklogLockFunction0A1B2C3D` is the backlog's `Lock`. */
function nameIn(logicalId: string): string {
  return logicalId.replace(/^Backlog/, "").replace(/(Function)?[0-9A-F]{8}$/, "");
}

function sorted(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)].sort();
}
