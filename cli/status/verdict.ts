import { type AlertLevel, type AlertPolicy, evaluate } from "../../lambdas/core/alert-policy.ts";
import type { Backlog } from "../../lambdas/core/backlog.ts";
import { formatDuration } from "../terminal/duration.ts";

export type Verdict = {
  readonly level: AlertLevel;
  /** What made it so, with the policy's lines, as in `oldest 14m02s, partition 7 of 64, page line 10m`. */
  readonly cause: string;
  /** Where the oldest record is; undefined where only SQS's metric tells its age. */
  readonly oldestPartition: number | undefined;
};

/** What the policy makes of a backlog, and why. */
export function verdictOf(
  backlog: Pick<Backlog, "count" | "oldestAgeMs" | "blocked">,
  { policy, partitions }: { readonly policy: AlertPolicy; readonly partitions: number },
): Verdict {
  const level = evaluate(policy, backlog);
  const { count, oldestAgeMs } = backlog;
  const oldestPartition = partitionOfOldest(backlog);
  const place =
    oldestPartition === undefined ? [] : [`partition ${oldestPartition} of ${partitions}`];
  const oldest = [`oldest ${formatDuration(oldestAgeMs)}`, ...place];
  const page = `page line ${ageLine(policy.pageAgeMs)}`;
  const warn = `warn line ${ageLine(policy.warnAgeMs)}`;
  const cause = {
    page: [...oldest, page],
    warn: reached(policy.warnAgeMs, oldestAgeMs)
      ? [...oldest, warn, page]
      : [records(count), `warn line ${countLine(policy.maxCount)}`],
    ok: [
      ...(count === 0 ? ["empty"] : [records(count), ...oldest]),
      warn,
      page,
      `count line ${countLine(policy.maxCount)}`,
    ],
  }[level];
  return { level, cause: cause.join(", "), oldestPartition };
}

function partitionOfOldest({
  oldestAgeMs,
  blocked,
}: Pick<Backlog, "oldestAgeMs" | "blocked">): number | undefined {
  return blocked.find(({ ageMs }) => ageMs === oldestAgeMs)?.partition;
}

function reached(line: number, value: number): boolean {
  return line > 0 && value >= line;
}

function ageLine(lineMs: number): string {
  return lineMs > 0 ? formatDuration(lineMs) : "off";
}

function countLine(count: number): string {
  return count > 0 ? count.toLocaleString("en-US") : "off";
}

function records(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "record" : "records"}`;
}
