import { type Settings, settingsOf } from "./settings.ts";

/** What the functions must be told about their surroundings, as the stack knows it. */
export type Deployment = {
  readonly settings: Settings;
  readonly sourceUrl: string;
  readonly letterQueueUrl: string;
  readonly ledgerTable: string;
};

/** Variable of each setting. One table for both directions, so that they cannot disagree. */
const SETTING_VARIABLES = {
  name: "BACKLOG_NAME",
  partitions: "BACKLOG_PARTITIONS",
  batchSize: "BACKLOG_BATCH_SIZE",
  maxAttempts: "BACKLOG_MAX_ATTEMPTS",
  handlerTimeoutSeconds: "BACKLOG_HANDLER_TIMEOUT_SECONDS",
  deadlineMarginSeconds: "BACKLOG_DEADLINE_MARGIN_SECONDS",
  consumerTimeoutSeconds: "BACKLOG_CONSUMER_TIMEOUT_SECONDS",
  visibilityTimeoutSeconds: "BACKLOG_VISIBILITY_TIMEOUT_SECONDS",
  backoffBaseSeconds: "BACKLOG_BACKOFF_BASE_SECONDS",
  backoffCapSeconds: "BACKLOG_BACKOFF_CAP_SECONDS",
  maxReceiveCount: "BACKLOG_MAX_RECEIVE_COUNT",
  sourceRetentionSeconds: "BACKLOG_SOURCE_RETENTION_SECONDS",
  letterRetentionSeconds: "BACKLOG_LETTER_RETENTION_SECONDS",
  ledgerMemorySeconds: "BACKLOG_LEDGER_MEMORY_SECONDS",
  warnAgeSeconds: "BACKLOG_WARN_AGE_SECONDS",
  pageAgeSeconds: "BACKLOG_PAGE_AGE_SECONDS",
  maxCount: "BACKLOG_MAX_COUNT",
  replayLimit: "BACKLOG_REPLAY_LIMIT",
  replayRatePerSecond: "BACKLOG_REPLAY_RATE_PER_SECOND",
  replayTimeoutSeconds: "BACKLOG_REPLAY_TIMEOUT_SECONDS",
} as const satisfies Record<keyof Settings, string>;

const RESOURCE_VARIABLES = {
  sourceUrl: "BACKLOG_SOURCE_URL",
  letterQueueUrl: "BACKLOG_LETTER_QUEUE_URL",
  ledgerTable: "BACKLOG_LEDGER_TABLE",
} as const satisfies Record<Exclude<keyof Deployment, "settings">, string>;

/** Environment variables of a deployed function. Values may still be CDK tokens. */
export function toEnvironment(deployment: Deployment): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [setting, variable] of Object.entries(SETTING_VARIABLES)) {
    environment[variable] = String(deployment.settings[setting as keyof Settings]);
  }
  for (const [resource, variable] of Object.entries(RESOURCE_VARIABLES)) {
    environment[variable] = deployment[resource as keyof typeof RESOURCE_VARIABLES];
  }
  return environment;
}

/**
 * Reads what {@link toEnvironment} wrote. Called once, when a function's module loads.
 * @throws RangeError when a variable is missing or a number breaks a rule of the settings.
 */
export function fromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Deployment {
  const given: Record<string, string | number> = {};
  for (const [setting, variable] of Object.entries(SETTING_VARIABLES)) {
    const text = required(environment, variable);
    given[setting] = setting === "name" ? text : Number(text);
  }
  return {
    settings: settingsOf(given as Partial<Settings>),
    sourceUrl: required(environment, RESOURCE_VARIABLES.sourceUrl),
    letterQueueUrl: required(environment, RESOURCE_VARIABLES.letterQueueUrl),
    ledgerTable: required(environment, RESOURCE_VARIABLES.ledgerTable),
  };
}

/** Told to some functions only: the consumer's event source mapping is created after the consumer. */
export const OPERATIONS_VARIABLES = {
  /** UUID of the consumer's event source mapping. */
  mapping: "BACKLOG_MAPPING",
  /** `true` = payloads of letters may be edited. */
  allowEdit: "BACKLOG_ALLOW_EDIT",
} as const;

/** @throws RangeError when the variable is missing. */
export function mappingIn(environment: Readonly<Record<string, string | undefined>>): string {
  return required(environment, OPERATIONS_VARIABLES.mapping);
}

/** Whether the stack allows payloads to be edited; not said = no. */
export function allowsEdit(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment[OPERATIONS_VARIABLES.allowEdit] === "true";
}

function required(
  environment: Readonly<Record<string, string | undefined>>,
  variable: string,
): string {
  const value = environment[variable];
  if (value === undefined || value === "") {
    throw new RangeError(
      `Expected the environment variable \`${variable}\`, got none. The stack sets it; deploy again`,
    );
  }
  return value;
}
