import type { SendMessageCommandInput } from "@aws-sdk/client-sqs";
import type { OutgoingMessage } from "../core/replay/replay-ports.ts";
import { toSdkAttributes } from "./sqs-attributes.ts";

/** A message as SendMessage and the entries of SendMessageBatch take it. */
export function messageFields({
  body,
  attributes,
  group,
  deduplicationId,
}: OutgoingMessage): Omit<SendMessageCommandInput, "QueueUrl"> {
  return {
    MessageBody: body,
    MessageAttributes: toSdkAttributes(attributes),
    MessageGroupId: group,
    MessageDeduplicationId: deduplicationId,
  };
}
