import { BACKLOG_NAME, MAX_PARTITIONS, SQS_LIMITS } from "./limits.ts";

/**
 * Every number that the stack, the functions and the command must agree on. Times are seconds, whole
 * ones where nothing else is said. One out of its range, or two that do not hold together, fail at synth.
 */
export type Settings = {
  /** Names the backlog in SSM parameters, alarms and the stack: up to 64 letters, digits and hyphens, a
   *  letter first. Fixed for the backlog's life. @default "backlog" */
  readonly name: string;
  /** Message groups, 1 to 100,000, and so the most invocations at once. Fixed for the backlog's life:
   *  another count would move keys to other partitions, and is refused at deploy. @default 64 */
  readonly partitions: number;
  /** Messages in one Lambda batch, 1 to 10 (the bound of SQS FIFO event source mappings).
   *  @default 10 */
  readonly batchSize: number;
  /** Calls of the handler before a record becomes a dead letter, 1 to 100; SQS's largest
   *  maxReceiveCount allows 98 at a batchSize of 10. @default 3 */
  readonly maxAttempts: number;
  /** One handler call may take this long, 1 to 900; then its signal fires and the call is a failed
   *  attempt. @default 10 */
  readonly handlerTimeoutSeconds: number;
  /** Kept free at the end of an invocation for the ledger entry and the answer, 1 to 900. A record for
   *  which less is left than this and the handler's timeout goes back untried, uncharged. @default 2 */
  readonly deadlineMarginSeconds: number;
  /** Timeout of the consumer function, up to 900 and above the handler's timeout and the margin
   *  together. @default 60 */
  readonly consumerTimeoutSeconds: number;
  /** Visibility timeout of the source queue, above the consumer's timeout and up to 43,200: how long
   *  a record waits whose invocation died. @default 6 times consumerTimeoutSeconds */
  readonly visibilityTimeoutSeconds: number;
  /** Wait after a record's first failure; doubled for each further one. From 0 up to the cap;
   *  fractions count. @default 2 */
  readonly backoffBaseSeconds: number;
  /** Longest wait between two attempts; below the visibility timeout. Fractions count. @default 60 */
  readonly backoffCapSeconds: number;
  /** Receives after which SQS itself moves a message, up to 1000: the backstop for a consumer that
   *  never ran. @default the larger of batchSize * (maxAttempts + 1) + 10 and a day's receives */
  readonly maxReceiveCount: number;
  /** SQS deletes a record that is older, handled or not: 60 to 1,209,600, and above maxReceiveCount
   *  visibility timeouts. @default 14 days */
  readonly sourceRetentionSeconds: number;
  /** SQS deletes a dead letter that is older; an alarm pages before. From sourceRetentionSeconds to
   *  1,209,600. @default 14 days */
  readonly letterRetentionSeconds: number;
  /** How long the ledger remembers an applied record: longer than any letter can live, so from both
   *  retentions and a day. One published again after it is applied again. @default 32 days */
  readonly ledgerMemorySeconds: number;
  /** Oldest age from which the backlog warns, up to half of sourceRetentionSeconds; 0 or less = off.
   *  @default 120 */
  readonly warnAgeSeconds: number;
  /** Oldest age from which the backlog pages, and so long may it stand still, up to half of
   *  sourceRetentionSeconds; 0 or less = off. @default 600 */
  readonly pageAgeSeconds: number;
  /** Records from which the backlog warns; 0 or less = off. @default 10,000 */
  readonly maxCount: number;
  /** Letters that one replay takes at most, 1 to 100,000; the others stay where they are. What
   *  a run receives and does not take, it received for nothing. @default 10,000 */
  readonly replayLimit: number;
  /** Letters that a replay sends per second at most, 1 to 3000. @default 50 */
  readonly replayRatePerSecond: number;
  /** Timeout of the replay function, up to 900; a run ends before it and says what is left.
   *  @default 900 */
  readonly replayTimeoutSeconds: number;
};

const MINUTE = 60;
const DAY = 86_400;

/** Defaults of everything that does not follow from another setting. */
export const DEFAULT_SETTINGS = {
  name: "backlog",
  partitions: 64,
  batchSize: 10,
  maxAttempts: 3,
  handlerTimeoutSeconds: 10,
  deadlineMarginSeconds: 2,
  consumerTimeoutSeconds: 60,
  backoffBaseSeconds: 2,
  backoffCapSeconds: 60,
  sourceRetentionSeconds: 14 * DAY,
  letterRetentionSeconds: 14 * DAY,
  ledgerMemorySeconds: 32 * DAY,
  warnAgeSeconds: 2 * MINUTE,
  pageAgeSeconds: 10 * MINUTE,
  maxCount: 10_000,
  replayLimit: 10_000,
  replayRatePerSecond: 50,
  replayTimeoutSeconds: 15 * MINUTE,
} as const satisfies Partial<Settings>;

/**
 * Fills in what was not given and asserts every relation between the numbers, so that a wrong
 * setting fails where it is written and not as lost records months later.
 * @throws RangeError naming each broken rule, what came and what to do.
 */
export function settingsOf(given: Partial<Settings> = {}): Settings {
  const base = { ...DEFAULT_SETTINGS, ...withoutUndefined(given) };
  // 6 times the function's timeout is AWS's advice: a throttled invocation is tried again in it.
  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
  const visibilityTimeoutSeconds = base.visibilityTimeoutSeconds ?? 6 * base.consumerTimeoutSeconds;
  const settings: Settings = {
    ...base,
    visibilityTimeoutSeconds,
    maxReceiveCount:
      base.maxReceiveCount ??
      defaultMaxReceiveCount(base.batchSize, base.maxAttempts, visibilityTimeoutSeconds),
  };
  const broken = brokenRules(settings);
  if (broken.length > 0) {
    throw new RangeError(`The settings do not hold together:\n- ${broken.join("\n- ")}`);
  }
  return settings;
}

/** Receives that a record may use by waiting innocently behind others: the least that the redrive
 *  policy must allow. Each of batchSize heads may fail maxAttempts times and once uncounted. */
export function innocentReceives(batchSize: number, maxAttempts: number): number {
  return batchSize * (maxAttempts + 1) + 10;
}

function defaultMaxReceiveCount(
  batchSize: number,
  maxAttempts: number,
  visibilityTimeoutSeconds: number,
): number {
  const dayOfOutage = Math.ceil(DAY / visibilityTimeoutSeconds);
  return Math.min(
    SQS_LIMITS.maxReceiveCount,
    Math.max(innocentReceives(batchSize, maxAttempts), dayOfOutage),
  );
}

function withoutUndefined(given: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function brokenRules(settings: Settings): string[] {
  return [...brokenRanges(settings), ...brokenRelations(settings)];
}

type Range = { readonly from: number; readonly to: number; readonly fraction?: true };

const TIMEOUT: Range = { from: 1, to: 900 };
const RETENTION: Range = {
  from: SQS_LIMITS.retentionSeconds.min,
  to: SQS_LIMITS.retentionSeconds.max,
};
const ANY: Range = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

const RANGES: Readonly<Record<Exclude<keyof Settings, "name">, Range>> = {
  partitions: { from: 1, to: MAX_PARTITIONS },
  batchSize: { from: 1, to: SQS_LIMITS.batchEntries },
  maxAttempts: { from: 1, to: 100 },
  handlerTimeoutSeconds: TIMEOUT,
  deadlineMarginSeconds: TIMEOUT,
  consumerTimeoutSeconds: TIMEOUT,
  visibilityTimeoutSeconds: { from: 1, to: SQS_LIMITS.visibilityTimeoutSeconds },
  backoffBaseSeconds: { from: 0, to: SQS_LIMITS.visibilityTimeoutSeconds, fraction: true },
  backoffCapSeconds: { from: 0, to: SQS_LIMITS.visibilityTimeoutSeconds, fraction: true },
  maxReceiveCount: { from: 1, to: SQS_LIMITS.maxReceiveCount },
  sourceRetentionSeconds: RETENTION,
  letterRetentionSeconds: RETENTION,
  ledgerMemorySeconds: { from: 1, to: Number.MAX_SAFE_INTEGER },
  warnAgeSeconds: ANY,
  pageAgeSeconds: ANY,
  maxCount: ANY,
  replayLimit: { from: 1, to: 100_000 },
  replayRatePerSecond: { from: 1, to: 3000 },
  replayTimeoutSeconds: TIMEOUT,
};

function brokenRanges(settings: Settings): string[] {
  const broken: string[] = [];
  // A RegExp turns what it tests into text, so that `null` would be a name.
  if (typeof settings.name !== "string" || !BACKLOG_NAME.test(settings.name)) {
    broken.push(
      `Expected \`name\` to match ${BACKLOG_NAME.source}, got \`${settings.name}\`. Choose a short name of letters, digits and hyphens`,
    );
  }
  for (const [setting, { from, to, fraction }] of Object.entries(RANGES)) {
    const value: unknown = settings[setting as keyof typeof RANGES];
    const whole = fraction ? Number.isFinite(value) : Number.isSafeInteger(value);
    if (!whole || (value as number) < from || (value as number) > to) {
      const kind = fraction ? "a number" : "a whole number";
      broken.push(`Expected \`${setting}\` to be ${kind} from ${from} to ${to}, got \`${value}\``);
    }
  }
  return broken;
}

type Relation = {
  readonly holds: (settings: Settings) => boolean;
  readonly says: (settings: Settings) => string;
};

const RELATIONS: readonly Relation[] = [
  {
    holds: (s) => s.consumerTimeoutSeconds > s.handlerTimeoutSeconds + s.deadlineMarginSeconds,
    says: (s) =>
      `Expected \`consumerTimeoutSeconds\` above handlerTimeoutSeconds + deadlineMarginSeconds = ${s.handlerTimeoutSeconds + s.deadlineMarginSeconds}, got \`${s.consumerTimeoutSeconds}\`. Raise it, or no record would ever be tried`,
  },
  {
    // Strictly above: a start is refused once `visibility - consumer timeout` has passed since the
    // receive, and with the two equal that is every start.
    holds: (s) => s.visibilityTimeoutSeconds > s.consumerTimeoutSeconds,
    says: (s) =>
      `Expected \`visibilityTimeoutSeconds\` above consumerTimeoutSeconds = ${s.consumerTimeoutSeconds}, got \`${s.visibilityTimeoutSeconds}\`. Raise it (6 times is AWS's advice), or two invocations could hold one record`,
  },
  {
    holds: (s) => s.backoffBaseSeconds <= s.backoffCapSeconds,
    says: (s) =>
      `Expected \`backoffCapSeconds\` from backoffBaseSeconds = ${s.backoffBaseSeconds} and up, got \`${s.backoffCapSeconds}\``,
  },
  {
    holds: (s) => s.backoffCapSeconds < s.visibilityTimeoutSeconds,
    says: (s) =>
      `Expected \`backoffCapSeconds\` below visibilityTimeoutSeconds = ${s.visibilityTimeoutSeconds}, got \`${s.backoffCapSeconds}\``,
  },
  {
    holds: (s) => innocentReceives(s.batchSize, s.maxAttempts) <= SQS_LIMITS.maxReceiveCount,
    says: ({ batchSize, maxAttempts }) =>
      `Expected \`batchSize * (maxAttempts + 1) + 10\` up to ${SQS_LIMITS.maxReceiveCount}, SQS's largest maxReceiveCount, got \`${batchSize} * (${maxAttempts} + 1) + 10 = ${innocentReceives(batchSize, maxAttempts)}\`. Lower \`maxAttempts\` to ${mostAttempts(batchSize)}, or \`batchSize\``,
  },
  {
    // Where not even SQS's largest one is enough, the relation above has said what to lower.
    holds: (s) =>
      s.maxReceiveCount >= innocentReceives(s.batchSize, s.maxAttempts) ||
      innocentReceives(s.batchSize, s.maxAttempts) > SQS_LIMITS.maxReceiveCount,
    says: (s) =>
      `Expected \`maxReceiveCount\` from batchSize * (maxAttempts + 1) + 10 = ${innocentReceives(s.batchSize, s.maxAttempts)} and up, got \`${s.maxReceiveCount}\`. Below that, SQS moves records that only waited behind a failing one`,
  },
  {
    holds: (s) => s.sourceRetentionSeconds > s.maxReceiveCount * s.visibilityTimeoutSeconds,
    says: (s) =>
      `Expected \`sourceRetentionSeconds\` above maxReceiveCount * visibilityTimeoutSeconds = ${s.maxReceiveCount * s.visibilityTimeoutSeconds}, got \`${s.sourceRetentionSeconds}\`. Otherwise a message expires before SQS would move it to the dead-letter queue`,
  },
  {
    holds: (s) =>
      s.ledgerMemorySeconds >= s.sourceRetentionSeconds + s.letterRetentionSeconds + DAY,
    says: (s) =>
      `Expected \`ledgerMemorySeconds\` from sourceRetentionSeconds + letterRetentionSeconds + 86400 = ${s.sourceRetentionSeconds + s.letterRetentionSeconds + DAY} and up, got \`${s.ledgerMemorySeconds}\`. A letter that outlives the ledger's memory could be applied twice`,
  },
  {
    holds: (s) => s.letterRetentionSeconds >= s.sourceRetentionSeconds,
    says: (s) =>
      `Expected \`letterRetentionSeconds\` from sourceRetentionSeconds = ${s.sourceRetentionSeconds} and up, got \`${s.letterRetentionSeconds}\`. Raise it or lower sourceRetentionSeconds, or an old record that dies could be deleted before anybody sees its letter`,
  },
  ageWithinRetention("pageAgeSeconds", "pages"),
  ageWithinRetention("warnAgeSeconds", "warns"),
];

/** 0 or less is off, and below any half. */
function ageWithinRetention(
  setting: "pageAgeSeconds" | "warnAgeSeconds",
  speaks: string,
): Relation {
  return {
    holds: (s) => s[setting] <= s.sourceRetentionSeconds / 2,
    says: (s) =>
      `Expected \`${setting}\` up to half of sourceRetentionSeconds = ${s.sourceRetentionSeconds / 2}, got \`${s[setting]}\`. Lower it or raise sourceRetentionSeconds, or SQS deletes records before the backlog ${speaks}, or soon after`,
  };
}

/** Attempts of which innocent waiting never costs more receives than SQS allows. */
function mostAttempts(batchSize: number): number {
  return Math.floor((SQS_LIMITS.maxReceiveCount - 10) / batchSize) - 1;
}

function brokenRelations(settings: Settings): string[] {
  return RELATIONS.filter(({ holds }) => !holds(settings)).map(({ says }) => says(settings));
}
