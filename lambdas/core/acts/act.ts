/** One thing that an operator had done, on record for the ledger's memory. */
export type Act = ActRequest & {
  /** UUIDv7, made when the act began; of a replay, its runId. */
  readonly actId: string;
  readonly startedAtMs: number;
  /** Its function has ended by then, whatever the state says. */
  readonly endsByMs: number;
  /** Undefined while it runs. */
  readonly endedAtMs: number | undefined;
  readonly state: ActState;
  /** Why it failed. */
  readonly error: string | undefined;
  /** How much of what was done, by the operation's own words. */
  readonly counts: ActCounts;
  /** What became of each letter, bounded. */
  readonly letters: readonly ActLetter[];
  /** Letters that the list leaves out. */
  readonly omitted: number;
};

/** What was asked, by whom, and why. */
export type ActRequest = {
  readonly operation: string;
  readonly who: string | undefined;
  readonly why: string | undefined;
  readonly ticket: string | undefined;
  /** The plan that the act was held to. */
  readonly planDigest: string | undefined;
  /** Which letters were meant. */
  readonly filter: Readonly<Record<string, unknown>> | undefined;
};

export type ActState = "running" | "done" | "failed" | "cancelled";

export type ActCounts = Readonly<Record<string, number>>;

export type ActLetter = {
  readonly id: string;
  readonly outcome: string;
  readonly oldReason: string | null;
  readonly newReason?: string;
  /** SHA-256 in hex of the payload that the letter had, and has now. */
  readonly digestBefore?: string;
  readonly digestAfter?: string;
};

/** What an act came to, and the answer to whoever asked. */
export type Performed<Answer> = {
  readonly answer: Answer;
  readonly state: Exclude<ActState, "running">;
  readonly counts: ActCounts;
  readonly letters: readonly ActLetter[];
  /** Letters that the list leaves out already.
   *  @default 0 */
  readonly omitted?: number;
};

/** When an act began, in milliseconds since 1970: a UUIDv7 begins with it.
 *  @returns undefined for a text that is none. */
export function startOf(actId: string): number | undefined {
  return UUID_V7.test(actId)
    ? Number.parseInt(actId.replaceAll("-", "").slice(0, 12), 16)
    : undefined;
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What the record says by now: an act that still runs when its function must have ended never will. */
export function standingOf(
  { state, endsByMs }: Pick<Act, "state" | "endsByMs">,
  nowMs: number,
): ActState | "interrupted" {
  return state === "running" && nowMs > endsByMs ? "interrupted" : state;
}
