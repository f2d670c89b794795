/** A redrive of a dead-letter queue that an operator started. Times are epoch milliseconds. */
export type MoveTask = {
  readonly handle: string;
  readonly sourceArn: string;
  /** Undefined = each message goes back to the queue that it came from. */
  readonly destinationArn: string | undefined;
  readonly maxPerSecond: number | undefined;
  readonly startedAtMs: number;
  readonly toMove: number;
  moved: number;
  status: "RUNNING" | "COMPLETED" | "CANCELLED" | "FAILED";
  failureReason: string | undefined;
};

/** The task as ListMessageMoveTasks tells it: its handle only as long as it can be cancelled. */
export function moveTaskResult(task: MoveTask): Readonly<Record<string, unknown>> {
  return {
    ...(task.status === "RUNNING" ? { TaskHandle: task.handle } : {}),
    Status: task.status,
    SourceArn: task.sourceArn,
    ...(task.destinationArn === undefined ? {} : { DestinationArn: task.destinationArn }),
    ...(task.maxPerSecond === undefined ? {} : { MaxNumberOfMessagesPerSecond: task.maxPerSecond }),
    ApproximateNumberOfMessagesMoved: task.moved,
    ApproximateNumberOfMessagesToMove: task.toMove,
    ...(task.failureReason === undefined ? {} : { FailureReason: task.failureReason }),
    StartedTimestamp: task.startedAtMs,
  };
}
