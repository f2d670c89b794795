import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageCommand,
  type SendMessageCommandInput,
  type SendMessageCommandOutput,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { ACCESS } from "./access.ts";

/** An SQS somewhere, with nothing of ours in between but the SDK. */
export type SqsAt = ReturnType<typeof sqsAt>;

export type Queue = Awaited<ReturnType<SqsAt["queue"]>>;

export type Pair = Awaited<ReturnType<SqsAt["pair"]>>;

type QueueAttributes = Readonly<Record<string, string>>;

/** @param endpoint of any server that speaks SQS's JSON protocol and checks no signature. */
export function sqsAt(endpoint: string) {
  const sdk = new SQSClient({ endpoint, maxAttempts: 1, ...ACCESS });
  // Names of their own, so that a second run against the same server finds empty queues.
  const prefix = `conformance-${Date.now().toString(36)}`;
  let named = 0;
  const newName = (suffix = ".fifo") => {
    named += 1;
    return `${prefix}-${named}${suffix}`;
  };
  const queue = async (attributes: QueueAttributes = {}, suffix = ".fifo") => {
    const kind = suffix === ".fifo" ? { FifoQueue: "true" } : {};
    const Attributes = { ...kind, ...attributes };
    const { QueueUrl = "" } = await sdk.send(
      new CreateQueueCommand({ QueueName: newName(suffix), Attributes }),
    );
    return queueAt(sdk, QueueUrl);
  };
  return {
    sdk,
    endpoint,
    newName,
    /** A new queue; FIFO unless the suffix is another. */
    queue,
    /** A FIFO queue that moves its letters to another. Nothing received is hidden. */
    async pair(maxReceiveCount: number | string, attributes: QueueAttributes = {}) {
      const letters = await queue();
      const source = await queue({
        VisibilityTimeout: "0",
        RedrivePolicy: redrivePolicy(await letters.arn(), maxReceiveCount),
        ...attributes,
      });
      return { source, letters };
    },
  };
}

export function redrivePolicy(deadLetterTargetArn: string, maxReceiveCount: number | string) {
  return JSON.stringify({ deadLetterTargetArn, maxReceiveCount });
}

export function bodiesOf(messages: readonly Message[]): string {
  return messages.map(({ Body }) => Body).join(" ");
}

function queueAt(sdk: SQSClient, QueueUrl: string) {
  let sent = 0;
  const attributes = async (): Promise<QueueAttributes> => {
    const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] });
    return (await sdk.send(asked)).Attributes ?? {};
  };
  return {
    url: QueueUrl,
    attributes,
    arn: async () => (await attributes())["QueueArn"] ?? "",
    /** Visible, in flight and delayed, as `3/2/0`. */
    async counts(): Promise<string> {
      const found = await attributes();
      return ["", "NotVisible", "Delayed"]
        .map((kind) => found[`ApproximateNumberOfMessages${kind}`])
        .join("/");
    },
    /** Sends to the group that the body's first letter names, under an id of its own. */
    send(
      body: string,
      input: Partial<SendMessageCommandInput> = {},
    ): Promise<SendMessageCommandOutput> {
      sent += 1;
      return sdk.send(
        new SendMessageCommand({
          QueueUrl,
          MessageBody: body,
          MessageGroupId: body.slice(0, 1),
          MessageDeduplicationId: `id-${sent}`,
          ...input,
        }),
      );
    },
    /** Up to ten at once, with all attributes, without waiting. */
    async receive(
      input: Partial<ReceiveMessageCommandInput> = {},
      abortSignal?: AbortSignal,
    ): Promise<readonly Message[]> {
      const asked = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 0,
        MessageSystemAttributeNames: ["All"],
        MessageAttributeNames: ["All"],
        ...input,
      });
      const { Messages = [] } = await sdk.send(
        asked,
        abortSignal === undefined ? {} : { abortSignal },
      );
      return Messages;
    },
    remove: (message: Message | undefined) =>
      sdk.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle })),
    hide: (message: Message | undefined, VisibilityTimeout: number) =>
      sdk.send(
        new ChangeMessageVisibilityCommand({
          ...{ QueueUrl, ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout },
        }),
      ),
  };
}
