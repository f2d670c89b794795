import { GetMetricStatisticsCommand } from "@aws-sdk/client-cloudwatch";
import { UpdateEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import type { Probe, ProbeStage } from "./probe.ts";
import { createThrowawayStack } from "./throwaway-stack.ts";

/** Long enough to tell a wait for it from a return at once. */
const VISIBILITY_SECONDS = 60;

/** What the function's invocations are counted over. */
const WATCH_SECONDS = 300;

/** Whether a record reported as failed waits for the visibility time-out, and whether an event source
 *  mapping of a FIFO queue takes provisioned pollers. Both need a function, so they share its stack. */
export const FUNCTION_PROBE: Probe = {
  name: "function",
  question:
    "Does a reported batch item failure wait for the visibility time-out, and does provisioned mode take a FIFO queue?",
  assumed: "it waits, unless its visibility is changed; not used",
  accountOnly: true,
  async answer(stage): Promise<string> {
    const outputs = await createThrowawayStack(stage, { visibilitySeconds: VISIBILITY_SECONDS });
    await stage.sqs.send(
      new SendMessageCommand({
        QueueUrl: outputs.get("QueueUrl"),
        MessageBody: "m1",
        MessageGroupId: "group",
        MessageDeduplicationId: "m1",
      }),
    );
    const startMs = Date.now();
    const watchMs = Math.min(stage.watchMs, WATCH_SECONDS * 1000);
    await stage.sleep(watchMs);
    const calls = await invocations(stage, outputs.get("FunctionName") ?? "", startMs);
    return `${calls} invocations in ${watchMs / 1000} s at a visibility of ${VISIBILITY_SECONDS} s; provisioned mode: ${await provisioned(stage, outputs.get("MappingId") ?? "")}`;
  },
};

async function invocations(
  { cloudWatch }: ProbeStage,
  functionName: string,
  startMs: number,
): Promise<number> {
  const { Datapoints = [] } = await cloudWatch.send(
    new GetMetricStatisticsCommand({
      Namespace: "AWS/Lambda",
      MetricName: "Invocations",
      Dimensions: [{ Name: "FunctionName", Value: functionName }],
      StartTime: new Date(startMs - 60_000),
      EndTime: new Date(Date.now() + 60_000),
      Period: 60,
      Statistics: ["Sum"],
    }),
  );
  return Datapoints.reduce((sum, { Sum = 0 }) => sum + Sum, 0);
}

async function provisioned({ lambda }: ProbeStage, UUID: string): Promise<string> {
  try {
    const { State } = await lambda.send(
      new UpdateEventSourceMappingCommand({
        UUID,
        ProvisionedPollerConfig: { MinimumPollers: 2, MaximumPollers: 2 },
      }),
    );
    return `accepted, the mapping is ${State}`;
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`;
  }
}
