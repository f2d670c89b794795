import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  type ReceiveMessageCommandOutput,
  SendMessageCommand,
  type SendMessageCommandInput,
  type SendMessageCommandOutput,
  SQSClient,
} from "@aws-sdk/client-sqs";

/** The SDK's client, and short forms of what the tests do most. */
export type QueueClient = ReturnType<typeof queueClient>;

export function queueClient(endpoint: string) {
  const sdk = new SQSClient({ endpoint, maxAttempts: 1 });
  let queues = 0;
  let messages = 0;

  const createQueue = async (
    attributes: Readonly<Record<string, string>> = {},
    suffix = ".fifo",
  ): Promise<string> => {
    queues += 1;
    const kind = suffix === ".fifo" ? { FifoQueue: "true" } : {};
    const { QueueUrl = "" } = await sdk.send(
      new CreateQueueCommand({
        QueueName: `q${queues}${suffix}`,
        Attributes: { ...kind, ...attributes },
      }),
    );
    return QueueUrl;
  };
  const attributesOf = async (queueUrl: string): Promise<Readonly<Record<string, string>>> =>
    (await sdk.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ["All"] })))
      .Attributes ?? {};

  return {
    sdk,
    /** A FIFO queue unless the suffix is another. */
    createQueue,
    attributesOf,
    arnOf: async (queueUrl: string): Promise<string> =>
      (await attributesOf(queueUrl))["QueueArn"] ?? "",
    /** Visible, in flight and delayed, as `3/2/0`. */
    countsOf: async (queueUrl: string): Promise<string> => {
      const attributes = await attributesOf(queueUrl);
      return ["", "NotVisible", "Delayed"]
        .map((kind) => attributes[`ApproximateNumberOfMessages${kind}`])
        .join("/");
    },
    /** A source queue that moves to a dead-letter queue, both FIFO. */
    async createPair(
      maxReceiveCount: number | string,
      attributes: Readonly<Record<string, string>> = {},
    ): Promise<{ readonly source: string; readonly letters: string; readonly lettersArn: string }> {
      const letters = await createQueue();
      const lettersArn = (await attributesOf(letters))["QueueArn"] ?? "";
      const source = await createQueue({
        VisibilityTimeout: "0",
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: lettersArn, maxReceiveCount }),
        ...attributes,
      });
      return { source, letters, lettersArn };
    },
    /** Sends to the group that the body's first letter names, with an id of its own. */
    send(
      queueUrl: string,
      body: string,
      input: Partial<SendMessageCommandInput> = {},
    ): Promise<SendMessageCommandOutput> {
      messages += 1;
      return sdk.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: body,
          MessageGroupId: body.slice(0, 1),
          MessageDeduplicationId: `d${messages}`,
          ...input,
        }),
      );
    },
    /** Up to 10 at once, with all attributes, without waiting. */
    async receive(
      queueUrl: string,
      input: Partial<ReceiveMessageCommandInput> = {},
      abortSignal?: AbortSignal,
    ): Promise<readonly Message[]> {
      const answer: ReceiveMessageCommandOutput = await sdk.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: 10,
          MessageSystemAttributeNames: ["All"],
          MessageAttributeNames: ["All"],
          ...input,
        }),
        abortSignal === undefined ? {} : { abortSignal },
      );
      return answer.Messages ?? [];
    },
    async remove(queueUrl: string, message: Message | undefined): Promise<void> {
      await sdk.send(
        new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: message?.ReceiptHandle }),
      );
    },
    async hide(queueUrl: string, message: Message | undefined, seconds: number): Promise<void> {
      await sdk.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: queueUrl,
          ReceiptHandle: message?.ReceiptHandle,
          VisibilityTimeout: seconds,
        }),
      );
    },
  };
}

export function bodiesOf(messages: readonly Message[]): string {
  return messages.map(({ Body }) => Body).join(" ");
}
