import { LambdaClient } from "@aws-sdk/client-lambda";
import {
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { vi } from "vitest";
import { publisherFor } from "../../lambdas/aws/publisher/publisher.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { toSdkAttributes } from "../../lambdas/aws/sqs-attributes.ts";
import type { MessageAttributes } from "../../lambdas/core/record.ts";
import { encodeOutgoing, type OutgoingRecord } from "../../lambdas/core/wire/outgoing.ts";
import { endAll } from "../../local/cloud/end-all.ts";
import { startCloud } from "../../local/cloud.ts";
import { invokeReplay } from "../../local/demo/invoke-replay.ts";
import { synthesize } from "../../local/demo/synthesize.ts";
import { readAssembly } from "../../local/deploy/assembly.ts";
import { readAssets } from "../../local/deploy/assets.ts";
import { deploy } from "../../local/deploy/deploy.ts";
import type { Call } from "./witness-handler.ts";

export type RawRecord = OutgoingRecord & {
  readonly id: string;
  /** In place of what the publisher would write. */
  readonly body?: string;
  readonly more?: MessageAttributes;
};

export type EmbeddedStage = Awaited<ReturnType<typeof embeddedStage>>;

/** The demo's stack on this machine with the handler that tells of its calls. */
export async function embeddedStage() {
  const calls: Call[] = [];
  const assembly = await synthesize("test/cases/witness-handler.ts");
  const ends = [async () => assembly.remove()];
  const close = () => endAll(ends.splice(0).toReversed());
  try {
    const cloud = await startCloud({
      onLine: ({ text }) => {
        if (text.startsWith('{"called":')) calls.push(JSON.parse(text));
      },
    });
    ends.push(() => cloud.close());
    const read = readAssembly(assembly.directory);
    const deployed = await deploy({ ...read, cloud });
    ends.push(async () => deployed.stop());

    const client = (service: string) => ({
      region: cloud.region,
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      endpoint: cloud.environment[`AWS_ENDPOINT_URL_${service}`] ?? "",
    });
    const sqs = new SQSClient(client("SQS"));
    const lambda = new LambdaClient({ ...client("LAMBDA"), maxAttempts: 1 });
    const { Parameter } = await new SSMClient(client("SSM")).send(
      new GetParameterCommand({ Name: "/backlogorder/demo" }),
    );
    const publisher = publisherFor(Parameter?.Value ?? "", sqs);
    const sourceUrl = deployed.outputs["SourceQueueUrl"] ?? "";
    const letterQueueUrl = deployed.outputs["LetterQueueUrl"] ?? "";
    const replayFunction = deployed.outputs["ReplayFunctionName"] ?? "";
    const sizeOf = async (url: string) => {
      const { visible, inFlight } = await readQueueSize(sqs, url);
      return visible + inFlight;
    };
    return {
      calls,
      callsOf: (id: string) => calls.filter(({ called }) => called === id),
      bundle: consumerBundle(read.template, read.assetsDirectory),
      publish: (records: readonly OutgoingRecord[]) => publisher.publish(records),
      /** One request of a partition's records together, which a publisher would send one by one. */
      async sendTogether(records: readonly RawRecord[]): Promise<void> {
        const Entries = records.map((record, index) => entryOf(record, index));
        await sqs.send(new SendMessageBatchCommand({ QueueUrl: sourceUrl, Entries }));
      },
      /** The dead letters, which stay visible. */
      async letters(): Promise<readonly Message[]> {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({
            QueueUrl: letterQueueUrl,
            MaxNumberOfMessages: 10,
            VisibilityTimeout: 0,
            MessageAttributeNames: ["All"],
          }),
        );
        return Messages;
      },
      replay: (request: Readonly<Record<string, unknown>>) =>
        invokeReplay({ lambda, replayFunction }, request),
      /** Until nothing is left in the source queue. */
      settled: () =>
        vi.waitUntil(async () => (await sizeOf(sourceUrl)) === 0, {
          timeout: 30_000,
          interval: 100,
        }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const PARTITIONS = 16;

function entryOf({ body, more, ...record }: RawRecord, index: number) {
  const defaults = { id: record.id, enqueuedAtMs: Date.now() };
  const encoded = encodeOutgoing(record, defaults, PARTITIONS);
  if (encoded.kind === "refused") throw new Error(encoded.reason);
  const { message } = encoded;
  return {
    Id: String(index),
    MessageBody: body ?? message.body,
    MessageGroupId: message.group,
    MessageDeduplicationId: message.deduplicationId,
    MessageAttributes: toSdkAttributes({ ...message.attributes, ...more }),
  };
}

function consumerBundle(template: unknown, assetsDirectory: string): string {
  const { Resources } = template as {
    readonly Resources: Readonly<
      Record<string, { readonly Type: string; readonly Properties?: Record<string, unknown> }>
    >;
  };
  const consumer = Object.entries(Resources).find(
    ([id, { Type }]) => Type === "AWS::Lambda::Function" && id.startsWith("BacklogConsumer"),
  )?.[1];
  const { S3Key = "" } = (consumer?.Properties?.["Code"] ?? {}) as { readonly S3Key?: string };
  const directory = readAssets(assetsDirectory).get(S3Key);
  if (directory === undefined) throw new Error(`expected an asset ${S3Key} of the consumer`);
  return directory;
}
