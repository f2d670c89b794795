import { expect, test } from "vitest";
import { appSettingsOf } from "../../infra/app-settings.ts";
import { synthesize } from "./synthesized.ts";

test("takes numbers as text, as the command line gives them", () => {
  expect(
    appSettingsOf({
      name: "raids",
      partitions: "128",
      pageAgeSeconds: 30,
      backoffBaseSeconds: "0.5",
    }).settings,
  ).toEqual({ name: "raids", partitions: 128, pageAgeSeconds: 30, backoffBaseSeconds: 0.5 });
});

test("reads lists separated by commas, and an empty text as nothing", () => {
  expect(
    appSettingsOf({ handler: "", handlerTables: "guilds, shops,", pageMail: "a@example.com" }),
  ).toEqual({
    settings: {},
    generation: 1,
    drainFirst: undefined,
    handler: undefined,
    handlerTables: ["guilds", "shops"],
    pageMails: ["a@example.com"],
    warnMails: [],
    pageTopicArn: undefined,
    warnTopicArn: undefined,
    encryptTopics: undefined,
    runbook: undefined,
    dashboard: undefined,
    allowEdit: undefined,
    importing: undefined,
  });
});

test.each([
  "@aws-cdk/aws-iam:minimizePolicies",
  "@aws-cdk-containers/ecs-service-extensions:enableDefaultLogDriver",
  "aws:cdk:bundling-stacks",
  "aws-cdk:enableDiffNoFail",
  "availability-zones:account=123456789012:region=us-east-1",
  "cdk-migrate",
  "cli-telemetry",
  "vpc-provider:account=123456789012:filter.isDefault=true",
])("leaves the CDK's own key %s alone", (key) => {
  expect(() => appSettingsOf({ [key]: true })).not.toThrow();
});

test.each([
  { key: "partition", nearest: "partitions" },
  { key: "max-attempts", nearest: "maxAttempts" },
  { key: "Partitions", nearest: "partitions" },
  { key: "pageAge", nearest: "pageAgeSeconds" },
  { key: "handlers", nearest: "handler" },
])("refuses the key $key and asks for $nearest", ({ key, nearest }) => {
  expect(() => appSettingsOf({ [key]: "1" })).toThrow(
    `Expected a context key that the app knows, got \`${key}\`. Did you mean \`${nearest}\`?`,
  );
});

test("refuses a key like no other and lists those that there are", () => {
  expect(() => appSettingsOf({ colour: "red" })).toThrow(
    /got `colour`. Known keys are name, partitions, /,
  );
});

test("refuses a list where one text is expected", () => {
  expect(() => appSettingsOf({ pageMail: ["a@example.com"] })).toThrow(
    'Expected the context key `pageMail` to be text, got `["a@example.com"]`',
  );
});

test.each([
  { given: { partitions: "0" }, expected: /Expected `partitions` .* from 1 to .*, got `0`/ },
  { given: { partitions: "many" }, expected: /Expected `partitions` .*, got `many`/ },
  { given: { batchSize: "11" }, expected: /Expected `batchSize` .* from 1 to 10, got `11`/ },
  {
    given: { visibilityTimeoutSeconds: "59" },
    expected: /Expected `visibilityTimeoutSeconds` above consumerTimeoutSeconds = 60, got `59`/,
  },
  {
    given: { ledgerMemorySeconds: "2505599" },
    expected: /Expected `ledgerMemorySeconds` from .* = 2505600 and up, got `2505599`/,
  },
  {
    given: { maxReceiveCount: "49" },
    expected: /Expected `maxReceiveCount` from .* = 50 and up, got `49`/,
  },
  { given: { name: "no spaces" }, expected: /Expected `name` to match .*, got `no spaces`/ },
  { given: { partitoins: "8" }, expected: /got `partitoins`. Did you mean `partitions`\?/ },
  {
    given: { handler: "lambdas/nowhere.ts" },
    expected: /Expected `handler` to name an existing file, got `lambdas\/nowhere.ts`/,
  },
  { given: { handler: "lambdas" }, expected: /Expected `handler` to name an existing file/ },
])("synth fails for $given", ({ given, expected }) => {
  expect(() => synthesize(given)).toThrow(expected);
});

test.each([
  { given: "true", drainFirst: true },
  { given: false, drainFirst: false },
  { given: "", drainFirst: undefined },
])("reads drainFirst = $given as $drainFirst", ({ given, drainFirst }) => {
  expect(appSettingsOf({ drainFirst: given }).drainFirst).toBe(drainFirst);
});

test.each([
  { given: { drainFirst: "yes" }, expected: /`drainFirst` to be true or false, got `"yes"`/ },
  { given: { generation: "0" }, expected: /`generation` to be a whole number from 1 .* got `0`/ },
  { given: { generation: "two" }, expected: /`generation` to be a whole number .* got `NaN`/ },
  {
    given: { name: "a".repeat(62), generation: "2" },
    expected: /Expected `name` to leave room for its generation/,
  },
])("synth fails for $given of generations", ({ given, expected }) => {
  expect(() => synthesize(given)).toThrow(expected);
});
