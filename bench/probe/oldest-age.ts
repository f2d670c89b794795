import { GetMetricStatisticsCommand } from "@aws-sdk/client-cloudwatch";
import { ChangeMessageVisibilityCommand } from "@aws-sdk/client-sqs";
import type { Probe, ProbeStage } from "./probe.ts";
import {
  createThrowawayQueue,
  receiveOnce,
  sendGroup,
  type ThrowawayQueue,
  untilVisible,
} from "./throwaway-queue.ts";

const MINUTE_MS = 60_000;

/** Whether SQS's age metric sees a head that fails, and one that is in flight. */
export const OLDEST_AGE: Probe = {
  name: "oldest-age",
  question:
    "Does ApproximateAgeOfOldestMessage of a FIFO queue count a head that was received three times or more, and one that is in flight?",
  assumed: "neither for certain: the snapshot's age from the ledger stands beside it",
  async answer(stage): Promise<string> {
    const failing = await createThrowawayQueue(stage, "age-failing");
    const flying = await createThrowawayQueue(stage, "age-in-flight");
    await sendGroup(stage, failing, 2);
    await sendGroup(stage, flying, 1);
    await holdInFlight(stage, flying);
    const startMs = Date.now();
    do {
      await receiveOnce(stage, failing, 1);
      await untilVisible(stage);
    } while (Date.now() - startMs < stage.watchMs);
    const ages = await Promise.all([
      ageOf(stage, failing.name, startMs),
      ageOf(stage, flying.name, startMs),
    ]);
    const truth = Math.round((Date.now() - startMs) / 1000);
    return `after ${truth} s of failing: ${ages[0]}; in flight all the while: ${ages[1]}`;
  },
};

/** Longer than any watch. */
const HELD_SECONDS = 3600;

async function holdInFlight(stage: ProbeStage, queue: ThrowawayQueue): Promise<void> {
  const [message] = await receiveOnce(stage, queue, 1);
  await stage.sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: queue.url,
      ReceiptHandle: message?.ReceiptHandle,
      VisibilityTimeout: HELD_SECONDS,
    }),
  );
}

async function ageOf({ cloudWatch }: ProbeStage, name: string, startMs: number): Promise<string> {
  const { Datapoints = [] } = await cloudWatch.send(
    new GetMetricStatisticsCommand({
      Namespace: "AWS/SQS",
      MetricName: "ApproximateAgeOfOldestMessage",
      Dimensions: [{ Name: "QueueName", Value: name }],
      StartTime: new Date(startMs - MINUTE_MS),
      EndTime: new Date(Date.now() + MINUTE_MS),
      Period: 60,
      Statistics: ["Maximum"],
    }),
  );
  const series = Datapoints.toSorted(
    (left, right) => (left.Timestamp?.getTime() ?? 0) - (right.Timestamp?.getTime() ?? 0),
  ).map(({ Maximum }) => `${Maximum}`);
  return series.length === 0 ? "no data" : `${series.join(" ")} s, by the minute`;
}
