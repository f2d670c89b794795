import type { Settings } from "../lambdas/core/settings.ts";
import { nearestWord } from "./nearest-word.ts";

/** What the app is told by cdk.json's context or `cdk -c key=value`. */
export type AppSettings = {
  readonly settings: Partial<Settings>;
  /** Which backlog of this name it is, from 1. */
  readonly generation: number;
  /** True = the event source mapping is off until the generation before is drained; undefined = not
   *  said. */
  readonly drainFirst: boolean | undefined;
  /** File of the game's handler; undefined = the example that comes with the app. */
  readonly handler: string | undefined;
  /** Names of the tables that the handler may read and write. */
  readonly handlerTables: readonly string[];
  readonly pageMails: readonly string[];
  readonly warnMails: readonly string[];
  readonly pageTopicArn: string | undefined;
  readonly warnTopicArn: string | undefined;
  /** True = new topics are encrypted with a key of their own; undefined = not said. */
  readonly encryptTopics: boolean | undefined;
  readonly runbook: string | undefined;
  /** False = no dashboard; undefined = not said. */
  readonly dashboard: boolean | undefined;
  /** True = payloads of dead letters may be edited; undefined = not said. */
  readonly allowEdit: boolean | undefined;
  /** True = for `cdk import` alone; undefined = not said. */
  readonly importing: boolean | undefined;
};

/**
 * Reads the app's keys out of a CDK context. Numbers may come as text, as `-c` gives them; lists are
 * separated by commas. Whether the numbers hold together is for `settingsOf` to say.
 * @throws RangeError for a key that is neither ours nor the CDK's, or a value of the wrong kind.
 */
export function appSettingsOf(context: Readonly<Record<string, unknown>>): AppSettings {
  refuseUnknown(Object.keys(context));
  return {
    settings: settingsIn(context),
    generation: generationIn(context["generation"] ?? 1),
    drainFirst: flag(context, "drainFirst"),
    handler: text(context, "handler"),
    handlerTables: list(context, "handlerTables"),
    pageMails: list(context, "pageMail"),
    warnMails: list(context, "warnMail"),
    pageTopicArn: text(context, "pageTopicArn"),
    warnTopicArn: text(context, "warnTopicArn"),
    encryptTopics: flag(context, "encryptTopics"),
    runbook: text(context, "runbook"),
    dashboard: flag(context, "dashboard"),
    allowEdit: flag(context, "allowEdit"),
    importing: flag(context, "importing"),
  };
}

/** Listed by a record over all settings, so that a new one cannot be forgotten here. */
const SETTING_KEYS = Object.keys({
  name: true,
  partitions: true,
  batchSize: true,
  maxAttempts: true,
  handlerTimeoutSeconds: true,
  deadlineMarginSeconds: true,
  consumerTimeoutSeconds: true,
  visibilityTimeoutSeconds: true,
  backoffBaseSeconds: true,
  backoffCapSeconds: true,
  maxReceiveCount: true,
  sourceRetentionSeconds: true,
  letterRetentionSeconds: true,
  ledgerMemorySeconds: true,
  warnAgeSeconds: true,
  pageAgeSeconds: true,
  maxCount: true,
  replayLimit: true,
  replayRatePerSecond: true,
  replayTimeoutSeconds: true,
} satisfies Record<keyof Settings, true>);

const APP_KEYS = [
  "generation",
  "drainFirst",
  "handler",
  "handlerTables",
  "pageMail",
  "warnMail",
  "pageTopicArn",
  "warnTopicArn",
  "encryptTopics",
  "runbook",
  "dashboard",
  "allowEdit",
  "importing",
] as const;

type AppKey = (typeof APP_KEYS)[number];

const KNOWN: readonly string[] = [...SETTING_KEYS, ...APP_KEYS];

/** The CDK's own keys: feature flags, look-ups such as `availability-zones:account=...`, and what
 *  its command stores. */
const CDK_KEY = /^@|[:/]|^(aws-)?cdk\b|^cli-telemetry$/;

function refuseUnknown(keys: readonly string[]): void {
  for (const key of keys) {
    if (KNOWN.includes(key) || CDK_KEY.test(key)) continue;
    const nearest = nearestWord(key, KNOWN);
    const advice =
      nearest === undefined ? `Known keys are ${KNOWN.join(", ")}` : `Did you mean \`${nearest}\`?`;
    throw new RangeError(`Expected a context key that the app knows, got \`${key}\`. ${advice}`);
  }
}

function settingsIn(context: Readonly<Record<string, unknown>>): Partial<Settings> {
  const given = SETTING_KEYS.filter((key) => context[key] !== undefined);
  return Object.fromEntries(
    given.map((key) => [key, key === "name" ? textIn(key, context[key]) : numberIn(context[key])]),
  );
}

/** Whether it is a generation is for `generationName` to say. */
function generationIn(value: unknown): number {
  const number = numberIn(value);
  return typeof number === "number" ? number : Number.NaN;
}

/** What is no number becomes text: `settingsOf` quotes it in its error. */
function numberIn(value: unknown): unknown {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return JSON.stringify(value);
  return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

function list(context: Readonly<Record<string, unknown>>, key: AppKey): readonly string[] {
  return (text(context, key) ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function flag(context: Readonly<Record<string, unknown>>, key: AppKey): boolean | undefined {
  const value = context[key];
  if (value === undefined || value === "") return undefined;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw new RangeError(
    `Expected the context key \`${key}\` to be true or false, got \`${JSON.stringify(value)}\``,
  );
}

/** An empty text counts as not given, so that `-c handler=` goes back to the default. */
function text(context: Readonly<Record<string, unknown>>, key: AppKey): string | undefined {
  const value = context[key];
  return value === undefined || value === "" ? undefined : textIn(key, value);
}

function textIn(key: AppKey | "name", value: unknown): string {
  if (typeof value !== "string") {
    throw new RangeError(
      `Expected the context key \`${key}\` to be text, got \`${JSON.stringify(value)}\`. Give lists as one text, separated by commas`,
    );
  }
  return value;
}
