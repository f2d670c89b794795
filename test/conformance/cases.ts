import type { Case } from "./case.ts";
import { ATTRIBUTES } from "./cases/attributes.ts";
import { DEDUPLICATION } from "./cases/deduplication.ts";
import { LETTERS } from "./cases/letters.ts";
import { MOVE_TASKS } from "./cases/move-tasks.ts";
import { ORDER } from "./cases/order.ts";
import { POLLING } from "./cases/polling.ts";
import { QUEUE_REFUSALS } from "./cases/queue-refusals.ts";
import { QUEUES } from "./cases/queues.ts";
import { RANDOM_LOAD } from "./cases/random-load.ts";
import { RECEIPTS } from "./cases/receipts.ts";
import { SENDING } from "./cases/sending.ts";

/** What SQS does, as AWS documents it and as its answers are on record. */
export const CASES: readonly Case[] = [
  ...ORDER,
  ...RECEIPTS,
  ...SENDING,
  ...ATTRIBUTES,
  ...DEDUPLICATION,
  ...LETTERS,
  ...MOVE_TASKS,
  ...POLLING,
  ...QUEUES,
  ...QUEUE_REFUSALS,
  ...RANDOM_LOAD,
];
