import { DEPLOY_FAULTS } from "./deploy-faults.ts";
import { DRAIN_FAULTS } from "./drain-faults.ts";
import type { Fault } from "./fault.ts";
import { HANDLER_FAULTS } from "./handler-faults.ts";
import { LEDGER_FAULTS } from "./ledger-faults.ts";
import { LETTER_FAULTS } from "./letter-faults.ts";
import { RECORD_FAULTS } from "./record-faults.ts";
import { REPLAY_BATCH_FAULTS } from "./replay-batch-faults.ts";
import { REPLAY_FAULTS } from "./replay-faults.ts";
import { REPLAY_RUN_FAULTS } from "./replay-run-faults.ts";

/** Every planted fault, in the order of a record's way: batch and group, record, handler, ledger,
 *  dead letter, replay, stack. */
export const FAULTS: readonly Fault[] = [
  ...DRAIN_FAULTS,
  ...RECORD_FAULTS,
  ...HANDLER_FAULTS,
  ...LEDGER_FAULTS,
  ...LETTER_FAULTS,
  ...REPLAY_FAULTS,
  ...REPLAY_RUN_FAULTS,
  ...REPLAY_BATCH_FAULTS,
  ...DEPLOY_FAULTS,
];
