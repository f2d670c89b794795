import type { Clock } from "../clock.ts";
import type { DeadLetters } from "../dead-letters.ts";
import type { Handler } from "../handler.ts";
import type { Ledger } from "../ledger.ts";
import type { Settings } from "../settings.ts";
import type { Source } from "../source.ts";
import type { Report } from "./drain-report.ts";

/** Everything a drain needs from outside. One set serves all invocations of a process: nothing in
 *  it may remember an invocation. */
export type DrainPorts<Effect> = {
  readonly handle: Handler<Effect>;
  readonly ledger: Ledger<Effect>;
  readonly deadLetters: DeadLetters;
  readonly source: Source;
  readonly clock: Clock;
  readonly report: Report;
  /** Uniform from 0 up to 1. */
  readonly random: () => number;
  readonly settings: Settings;
};

/** One Lambda invocation. */
export type Invocation = {
  /** The request id: with a MessageId it makes an attempt's own id. */
  readonly id: string;
  /** When the function will be stopped, in milliseconds since 1970. */
  readonly deadlineMs: number;
};
