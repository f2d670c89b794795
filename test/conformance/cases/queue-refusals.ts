import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
} from "@aws-sdk/client-sqs";
import type { Case } from "../case.ts";
import { ANY, refuses } from "../refusal.ts";

const MISSING = "QueueDoesNotExist";
const FIFO = { FifoQueue: "true" };

/** What makes no queue, what is none, and what no queue may be asked. */
export const QUEUE_REFUSALS: readonly Case[] = [
  refuses("refuses a FIFO queue whose name does not say so", ANY, (at) =>
    at.sdk.send(new CreateQueueCommand({ QueueName: at.newName("-plain"), Attributes: FIFO })),
  ),
  refuses("refuses a name that says FIFO for a queue that is none", ANY, (at) =>
    at.sdk.send(new CreateQueueCommand({ QueueName: at.newName() })),
  ),
  refuses("refuses a name of other characters", ANY, (at) => at.queue({}, " name!.fifo")),
  refuses("refuses an attribute that it does not know", "InvalidAttributeName", (at) =>
    at.queue({ Unknown: "1" }),
  ),
  refuses(
    "refuses to tell an attribute that it does not know",
    "InvalidAttributeName",
    async (at) => {
      const { url: QueueUrl } = await at.queue();
      const names = JSON.parse('["Unknown"]');
      await at.sdk.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: names }));
    },
  ),
  refuses("refuses a visibility out of range", "InvalidAttributeValue", (at) =>
    at.queue({ VisibilityTimeout: "99999" }),
  ),
  refuses("refuses a retention below a minute", "InvalidAttributeValue", (at) =>
    at.queue({ MessageRetentionPeriod: "59" }),
  ),
  refuses("refuses to receive from a queue that does not exist", MISSING, async (at) => {
    const QueueUrl = (await at.queue()).url.replace(/[^/]+$/, "nowhere.fifo");
    await at.sdk.send(new ReceiveMessageCommand({ QueueUrl }));
  }),
  refuses("refuses to find a queue that does not exist", MISSING, (at) =>
    at.sdk.send(new GetQueueUrlCommand({ QueueName: "nowhere" })),
  ),
  refuses("refuses to receive eleven messages", "InvalidParameterValue", async (at) => {
    await (await at.queue()).receive({ MaxNumberOfMessages: 11 });
  }),
  refuses("refuses to wait for more than twenty seconds", "InvalidParameterValue", async (at) => {
    await (await at.queue()).receive({ WaitTimeSeconds: 21 });
  }),
  refuses(
    "refuses a name again within a minute of its deletion",
    "QueueDeletedRecently",
    async (at) => {
      const create = new CreateQueueCommand({ QueueName: at.newName(), Attributes: FIFO });
      const { QueueUrl } = await at.sdk.send(create);
      await at.sdk.send(new DeleteQueueCommand({ QueueUrl }));
      await at.sdk.send(create);
    },
  ),
];
