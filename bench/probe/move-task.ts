import { ListMessageMoveTasksCommand, StartMessageMoveTaskCommand } from "@aws-sdk/client-sqs";
import type { Probe, ProbeStage } from "./probe.ts";
import { createThrowawayQueue, receiveOnce, sendGroup, untilVisible } from "./throwaway-queue.ts";

/** Looks at a task that moves one message before it is given up. */
const LOOKS = 24;

const LOOK_MS = 5000;

/** What SQS's own redrive does to a FIFO message. */
export const MOVE_TASK: Probe = {
  name: "move-task",
  question:
    "Which de-duplication id and receive count has a FIFO message that StartMessageMoveTask moved back, and can the 5 minutes of de-duplication swallow it?",
  assumed: "a new MessageId and a count from 1; not swallowed",
  async answer(stage): Promise<string> {
    const letters = await createThrowawayQueue(stage, "task-letters");
    const source = await createThrowawayQueue(stage, "task-source", {
      arn: letters.arn,
      maxReceiveCount: 1,
    });
    await sendGroup(stage, source, 1);
    const [before] = await receiveOnce(stage, source, 1);
    await untilVisible(stage);
    // The receive above the maximum moves it.
    await receiveOnce(stage, source, 1);
    await stage.sqs.send(new StartMessageMoveTaskCommand({ SourceArn: letters.arn }));
    const status = await taskEnd(stage, letters.arn);
    const [after] = await receiveOnce(stage, source, 1);
    if (after === undefined) return `task ${status}; the message did not come back: swallowed`;
    const was = before?.Attributes?.MessageDeduplicationId;
    const is = after.Attributes?.MessageDeduplicationId;
    return [
      `task ${status}; came back within the 5 minutes`,
      `MessageDeduplicationId ${is === was ? "kept" : `now ${shape(is, before?.MessageId, after.MessageId)}`}`,
      `MessageId ${after.MessageId === before?.MessageId ? "kept" : "new"}`,
      `receive count ${after.Attributes?.ApproximateReceiveCount ?? "absent"}`,
    ].join("; ");
  },
};

async function taskEnd({ sqs, sleep }: ProbeStage, SourceArn: string): Promise<string> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { Results = [] } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn }));
    const status = Results[0]?.Status;
    if (status !== undefined && status !== "RUNNING") return status;
    await sleep(LOOK_MS);
  }
  return `still running after ${(LOOKS * LOOK_MS) / 1000} s`;
}

function shape(
  id: string | undefined,
  before: string | undefined,
  after: string | undefined,
): string {
  if (id === before) return "the MessageId from before";
  return id === after ? "the new MessageId" : `another one, \`${id}\``;
}
