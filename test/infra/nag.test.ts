import { type App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks, ServerlessChecks } from "cdk-nag";
import { expect, test } from "vitest";
import { ACKNOWLEDGEMENTS, acknowledgeFindings } from "../../infra/acknowledgements.ts";
import { appSettingsOf } from "../../infra/app-settings.ts";
import { BacklogStack } from "../../infra/backlog-stack.ts";
import { testApp } from "./synthesized.ts";

type Stage = { readonly app: App; readonly stack: BacklogStack };

function checked(given: Readonly<Record<string, unknown>> = {}): Stage {
  const app = testApp();
  const stack = new BacklogStack(app, appSettingsOf(given));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  return { app, stack };
}

type Finding = { readonly rule: string; readonly path: string };

/** All findings with their constructs' paths below the backlog. */
function findingsOf({ app, stack }: Stage): readonly Finding[] {
  const root = `${stack.backlog.node.path}/`;
  const packs = [new AwsSolutionsChecks(app), new ServerlessChecks(app)];
  return packs.flatMap((pack) =>
    pack.validateScope(app).violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = "" }) => ({
        rule: `${pack.name}::${ruleName}`,
        path: constructPath.replace(root, ""),
      })),
    ),
  );
}

const MAILS = { pageMail: "page@example.com", warnMail: "warn@example.com" };

test.each([
  { given: {}, why: "the example's handler and wallet" },
  {
    given: {
      handler: "test/lambdas/function-environment.ts",
      handlerTables: "guilds",
      ...MAILS,
    },
    why: "a game's handler with a table",
  },
  { given: { encryptTopics: true }, why: "encrypted topics" },
  { given: { dashboard: false }, why: "no dashboard" },
  { given: { generation: 2 }, why: "a second generation" },
  { given: { pageTopicArn: "arn:aws:sns:us-east-1:123456789012:page" }, why: "a topic of its own" },
])("leaves cdk-nag nothing to find in a stack with $why", ({ given }) => {
  const { app, stack } = checked(given);
  acknowledgeFindings(stack.backlog);
  // A finding that is left makes the synthesis throw.
  app.synth();
});

const FINDINGS = findingsOf(checked({ ...MAILS, generation: 2 }));

test.each(ACKNOWLEDGEMENTS.flatMap(({ rule, paths }) => paths.map((path) => ({ rule, path }))))(
  "acknowledges $rule on $path, where it is found",
  ({ rule, path }) => {
    const found = FINDINGS.filter((finding) => finding.rule === rule);
    expect(found.map((finding) => `${finding.path}/`)).toContainEqual(
      expect.stringMatching(new RegExp(`^${path}/`)),
    );
  },
);

test("refuses to synthesize while a finding is not acknowledged", () => {
  expect(() => checked().app.synth()).toThrow("Serverless::Serverless-SQSRedrivePolicy");
});
