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
import { expect, onTestFinished, vi } from "vitest";
import type { FunctionProps } from "../../../local/lambda/function-version.ts";
import type { InvocationReport } from "../../../local/lambda/functions.ts";
import type { Lambda, LambdaOptions } from "../../../local/lambda/server.ts";
import { startSqs } from "../../../local/sqs/server.ts";
import { localLambda } from "./local-lambda.ts";

export const MAPPING = "5d7d4b8e-0b5c-4f0e-9d52-6f6b6ffb1f5a";

/** Long enough that no machine is so slow that a function times out. */
export const VISIBILITY_SECONDS = 60;

/** A FIFO queue with a dead-letter queue, and a function that is mapped to it. The queue's time
 *  stands still until the test lets it pass. The function's timeout is the queue's visibility timeout,
 *  and it finds the queue in its variables. */
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
  /** Lets time pass in the queue. */
  pass(seconds: number): void;
  /** Lets the visibility timeout end of what is still in flight once as many invocations have ended
   *  and as many messages are left. */
  timeOut(once: { readonly invocations: number; readonly waiting: number }): Promise<void>;
  /** Takes what the dead-letter queue holds. */
  letters(): Promise<readonly Message[]>;
};

export type MappedOptions = {
  readonly maxReceiveCount?: number;
  readonly batchSize?: number;
  readonly maximumConcurrency?: number;
  /** @default true */
  readonly reportBatchItemFailures?: boolean;
  readonly lambda?: Partial<LambdaOptions>;
};

export async function mappedQueue(
  props: FunctionProps,
  options: MappedOptions = {},
): Promise<MappedQueue> {
  const { maxReceiveCount = 100 } = options;
  let nowMs = Date.now();
  const sqs = await startSqs({ now: () => nowMs });
  onTestFinished(() => sqs.close());
  const client = new SQSClient({ endpoint: sqs.url });
  onTestFinished(() => client.destroy());
  const letters = await queueOf(client, "letters.fifo", {});
  const source = await queueOf(client, "events.fifo", {
    VisibilityTimeout: String(VISIBILITY_SECONDS),
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
    timeoutSeconds: VISIBILITY_SECONDS,
    environment: { ...props.environment, QUEUE_URL: source.url },
  });
  await lambda.createMapping({
    uuid: MAPPING,
    functionName: props.name,
    queueUrl: source.url,
    queueArn: source.arn,
    batchSize: options.batchSize ?? 10,
    maximumConcurrency: options.maximumConcurrency ?? 4,
    reportBatchItemFailures: options.reportBatchItemFailures ?? true,
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
  const waiting = async () => (await attribute("")) + (await attribute("NotVisible"));
  const pass = (seconds: number): void => {
    nowMs += 1000 * seconds;
    sqs.sample();
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
    waiting,
    inFlight: () => attribute("NotVisible"),
    pass,
    async timeOut(once): Promise<void> {
      await vi.waitFor(
        async () =>
          expect({ invocations: invocations.length, waiting: await waiting() }).toEqual(once),
        { timeout: 10_000, interval: 20 },
      );
      pass(VISIBILITY_SECONDS);
    },
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
