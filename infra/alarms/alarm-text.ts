/** Alarms of a backlog. Each is the end of the alarm's name and a section of docs/runbook.md. */
export type AlarmId =
  | "page"
  | "warn"
  | "page-age"
  | "warn-age"
  | "warn-count"
  | "stalled"
  | "letters"
  | "letter-expiry"
  | "snapshot-missing"
  | "consumer-errors"
  | "consumer-throttles";

export type AlarmText = {
  readonly backlog: string;
  readonly alarm: AlarmId;
  /** What is wrong, as a sentence. */
  readonly what: string;
  /** From when on it pages or warns, as a sentence. */
  readonly since: string;
  /** What to run first. */
  readonly run: string;
  /** Address or path of the runbook. */
  readonly runbook: string;
};

/** Name of an alarm. Fixed, so that the operators' command can ask for it. */
export function alarmName(backlog: string, alarm: AlarmId): string {
  return `backlogorder-${backlog}-${alarm}`;
}

/** What whoever is woken reads first. */
export function alarmText({ alarm, what, since, run, runbook }: AlarmText): string {
  return `${what} ${since} Run: ${run} Runbook: ${runbook}#${alarm}`;
}

/** A time as people read it: `10 min`, `90 s`, `4 d`. */
export function readableSeconds(seconds: number): string {
  for (const [unit, size] of UNITS) {
    if (seconds >= size && seconds % size === 0) return `${seconds / size} ${unit}`;
  }
  return `${seconds} s`;
}

const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
] as const;
