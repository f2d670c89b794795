import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { onTestFinished } from "vitest";
import type { FunctionProps } from "../../../local/lambda/function-version.ts";
import type { InvocationReport } from "../../../local/lambda/functions.ts";
import type { Lambda, LambdaOptions } from "../../../local/lambda/server.ts";
import { startSqs } from "../../../local/sqs/server.ts";
import { localLambda } from "./local-lambda.ts";

export const MAPPING = "5d7d4b8e-0b5c-4f0e-9d52-6f6b6ffb1f5a";

/** A FIFO queue with a dead-letter queue, and a function that is mapped to it. The function's
 *  timeout is the queue's visibility timeout, and it finds the queue in its variables. */
export type MappedQueue = {
  readonly lambda: Lambda;
  readonly queueArn: string;
  /** What the handler logged, one parsed JSON line each. */
  readonly seen: readonly unknown[];
  readonly invocations: readonly InvocationReport[];
  /** One message of each body, all in one group unless it is given as `group/body`. */
  send(...bodies: readonly string[]): Promise<void>;
  sendWith(
    body: string,
    attributes: Readonly<Record<string, MessageAttributeValue>>,
  ): Promise<void>;
  /** Messages in the queue, in flight ones included. */
  waiting(): Promise<number>;
  inFlight(): Promise<number>;
  /** Takes what the dead-letter queue holds. */
  letters(): Promise<readonly Message[]>;
};

export type MappedOptions = {
  readonly visibilitySeconds?: number;
  readonly maxReceiveCount?: number;
  readonly batchSize?: number;
  readonly maximumConcurrency?: number;
  readonly lambda?: Partial<LambdaOptions>;
};

export async function mappedQueue(
  props: FunctionProps,
  options: MappedOptions = {},
): Promise<MappedQueue> {
  const { visibilitySeconds = 1, maxReceiveCount = 100 } = options;
  const sqs = await startSqs();
  onTestFinished(() => sqs.close());
  const client = new SQSClient({ endpoint: sqs.url });
  onTestFinished(() => client.destroy());
  const letters = await queueOf(client, "letters.fifo", {});
  const source = await queueOf(client, "events.fifo", {
    VisibilityTimeout: String(visibilitySeconds),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: letters.arn, maxReceiveCount }),
  });
  const seen: unknown[] = [];
  const invocations: InvocationReport[] = [];
  const lambda = await localLambda({
    sqsEndpoint: sqs.url,
    childEnvironment: { AWS_ENDPOINT_URL_SQS: sqs.url },
    onLine({ stream, text }) {
      if (stream === "stdout") seen.push(JSON.parse(text));
    },
    onInvocation: (report) => invocations.push(report),
    ...options.lambda,
  });
  lambda.createFunction({
    ...props,
    timeoutSeconds: visibilitySeconds,
    environment: { ...props.environment, QUEUE_URL: source.url },
  });
  await lambda.createMapping({
    uuid: MAPPING,
    functionName: props.name,
    queueUrl: source.url,
    queueArn: source.arn,
    batchSize: options.batchSize ?? 10,
    maximumConcurrency: options.maximumConcurrency ?? 4,
    reportBatchItemFailures: true,
  });

  let sent = 0;
  const entry = (given: string, MessageAttributes: Record<string, MessageAttributeValue>) => {
    const [group, body] = given.includes("/") ? given.split("/") : ["0", given];
    sent += 1;
    return {
      Id: String(sent),
      MessageBody: body,
      MessageGroupId: group,
      MessageDeduplicationId: String(sent),
      MessageAttributes,
    };
  };
  const attribute = async (name: "" | "NotVisible") => {
    const key = `ApproximateNumberOfMessages${name}` as const;
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: source.url, AttributeNames: [key] }),
    );
    return Number(Attributes?.[key]);
  };
  return {
    lambda,
    queueArn: source.arn,
    seen,
    invocations,
    async send(...bodies) {
      const Entries = bodies.map((body) => entry(body, {}));
      await client.send(new SendMessageBatchCommand({ QueueUrl: source.url, Entries }));
    },
    async sendWith(body, attributes) {
      const Entries = [entry(body, attributes)];
      await client.send(new SendMessageBatchCommand({ QueueUrl: source.url, Entries }));
    },
    waiting: async () => (await attribute("")) + (await attribute("NotVisible")),
    inFlight: () => attribute("NotVisible"),
    letters: () => drained(client, letters.url),
  };
}

async function queueOf(client: SQSClient, name: string, attributes: Record<string, string>) {
  const { QueueUrl = "" } = await client.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: { FifoQueue: "true", ...attributes },
    }),
  );
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] }),
  );
  return { url: QueueUrl, arn: Attributes?.QueueArn ?? "" };
}

async function drained(client: SQSClient, QueueUrl: string): Promise<readonly Message[]> {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ["All"],
    }),
  );
  if (Messages.length > 0) {
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
    }));
    await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
  return Messages;
}
