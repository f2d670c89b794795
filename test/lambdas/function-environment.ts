import { OPERATIONS_VARIABLES, toEnvironment } from "../../lambdas/core/environment.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";

export const SOURCE_URL = "https://sqs.us-east-1.amazonaws.com/123456789012/source.fifo";
export const LETTER_QUEUE_URL = "https://sqs.us-east-1.amazonaws.com/123456789012/letters.fifo";

/** What a deployed function finds in its environment. */
export const FUNCTION_ENVIRONMENT = {
  ...toEnvironment({
    settings: settingsOf({ partitions: 16 }),
    sourceUrl: SOURCE_URL,
    letterQueueUrl: LETTER_QUEUE_URL,
    ledgerTable: "ledger",
  }),
  [OPERATIONS_VARIABLES.mapping]: "mapping-1",
  [OPERATIONS_VARIABLES.allowEdit]: "true",
};
