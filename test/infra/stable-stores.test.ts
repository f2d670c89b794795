import type { Template } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../lambdas/core/settings.ts";
import { resourcesOf, synthesize } from "./synthesized.ts";

/** A change of one of these makes CloudFormation put a new, empty resource in place of the old one.
 *  https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queue.html
 *  https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html */
const REPLACING = {
  "AWS::SQS::Queue": ["QueueName", "FifoQueue"],
  "AWS::DynamoDB::GlobalTable": ["TableName", "KeySchema", "LocalSecondaryIndexes"],
} as const;

const before = storesOf(synthesize());

/** All differ from their defaults, and still hold together. */
const OTHER_SETTINGS = {
  name: "other",
  partitions: 128,
  batchSize: 5,
  maxAttempts: 5,
  handlerTimeoutSeconds: 20,
  deadlineMarginSeconds: 3,
  consumerTimeoutSeconds: 120,
  visibilityTimeoutSeconds: 600,
  backoffBaseSeconds: 3,
  backoffCapSeconds: 90,
  maxReceiveCount: 200,
  sourceRetentionSeconds: 10 * 86_400,
  letterRetentionSeconds: 12 * 86_400,
  ledgerMemorySeconds: 40 * 86_400,
  warnAgeSeconds: 0,
  pageAgeSeconds: 900,
  maxCount: 5,
  replayLimit: 10,
  replayRatePerSecond: 5,
  replayTimeoutSeconds: 300,
};

test("the other settings differ from all defaults", () => {
  for (const [setting, value] of Object.entries(DEFAULT_SETTINGS)) {
    expect(OTHER_SETTINGS[setting as keyof typeof DEFAULT_SETTINGS], setting).not.toBe(value);
  }
});

test.each([
  { why: "every setting changes, the name too", given: OTHER_SETTINGS },
  {
    why: "people are told elsewhere",
    given: {
      pageMail: "a@example.com",
      warnTopicArn: "arn:aws:sns:us-east-1:123456789012:warn",
      runbook: "https://example.com",
    },
  },
  { why: "the mapping is off", given: { drainFirst: true } },
  { why: "a later generation is begun", given: { generation: 2 } },
  { why: "the handler may use further tables", given: { handlerTables: "guilds" } },
])("no queue or table is replaced when $why", ({ given }) => {
  expect(storesOf(synthesize(given))).toEqual(before);
});

test("a game's own handler takes away the example's wallet and nothing else", () => {
  const own = storesOf(synthesize({ handler: "test/infra/synthesized.ts" }));
  const wallet = Object.keys(before).filter((id) => id.startsWith("Wallet"));
  expect(wallet).toHaveLength(1);
  expect({ ...own, [wallet[0] ?? ""]: before[wallet[0] ?? ""] }).toEqual(before);
});

/** What must not change of each queue and table, by logical id. */
function storesOf(template: Template): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(REPLACING).flatMap(([type, properties]) =>
      [...resourcesOf(template, type)].map(([id, { Properties }]) => [
        id,
        Object.fromEntries(properties.map((property) => [property, Properties[property]])),
      ]),
    ),
  );
}
