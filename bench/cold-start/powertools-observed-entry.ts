import { Logger } from "@aws-lambda-powertools/logger";
import { Metrics } from "@aws-lambda-powertools/metrics";
import type { Context, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { handler as consume } from "./powertools-entry.ts";

// The same with what the backlog's consumer also brings: structured logs and metrics.

const logger = new Logger();
const metrics = new Metrics();

/** Handles one batch of the queue, and tells of it. */
export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  logger.addContext(context);
  try {
    return await consume(event, context);
  } finally {
    metrics.publishStoredMetrics();
  }
}
