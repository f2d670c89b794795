import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { beforeEach, describe, expect, it } from "vitest";
import { setParameters } from "./parameters.ts";
import { dynamoDb, run, setBacklog, sqs, ssm } from "./stage.ts";

beforeEach(() => setBacklog({}));

function awsError(name: string, message: string) {
  return Object.assign(new Error(message), { name, $fault: "client", $metadata: {} });
}

/** These in the region, and no parameter of the name that was typed. */
function onlyBacklogs(...names: readonly string[]) {
  setParameters(ssm, Object.fromEntries(names.map((name) => [`/backlogorder/${name}`, {}])));
}

const INPUTS = [
  {
    why: "a name that is not one",
    set: () => onlyBacklogs("wallets", "matches"),
    code: "no-such-backlog",
    text: /only `matches`, `wallets`\. To do: /,
  },
  {
    why: "a region without a backlog",
    set: () => onlyBacklogs(),
    code: "no-such-backlog",
    text: /nor any other\. To do: .*AWS_REGION/,
  },
  {
    why: "no credentials",
    set: () => ssm.rejects(awsError("CredentialsProviderError", "Could not load credentials")),
    code: "no-credentials",
    text: /To do: .*AWS_PROFILE/,
  },
  {
    why: "a token that has expired",
    set: () => ssm.rejects(awsError("ExpiredTokenException", "The security token has expired")),
    code: "expired-credentials",
    text: /To do: .*sign in again/,
  },
  {
    why: "a table that is gone",
    set: () => dynamoDb.on(ScanCommand).rejects(awsError("ResourceNotFoundException", "no table")),
    code: "table-missing",
    text: /To do: .*deploy the stack again/,
  },
  {
    why: "a queue that is gone",
    set: () => sqs.on(GetQueueAttributesCommand).rejects(awsError("QueueDoesNotExist", "no queue")),
    code: "queue-missing",
    text: /To do: .*deploy the stack again/,
  },
  {
    why: "throttling",
    set: () => dynamoDb.on(ScanCommand).rejects(awsError("ThrottlingException", "Rate exceeded")),
    code: "throttled",
    text: /To do: .*wait some seconds/,
  },
  {
    why: "a right that is missing",
    set: () =>
      dynamoDb
        .on(ScanCommand)
        .rejects(
          awsError(
            "AccessDeniedException",
            "User: arn:aws:iam::1:user/ann is not authorized to perform: dynamodb:Scan on resource: x",
          ),
        ),
    code: "access-denied",
    text: /To do: ask for `dynamodb:Scan`.*ViewerPolicyArn/,
  },
];

describe.each([
  { words: ["status", "grants"] },
  { words: ["letters", "list", "grants"] },
  { words: ["partitions", "grants"] },
])("$words", ({ words }) => {
  it.each(INPUTS)("cannot tell because of $why, in one line with the remedy", async (given) => {
    given.set();
    const { exitCode, out, errors } = await run(...words);
    expect(errors).toMatch(new RegExp(`^Cannot tell \\(${given.code}\\): [^\\n]+$`));
    expect(errors).toMatch(given.text);
    expect(out).toBe("");
    expect(exitCode).toBe(3);
  });
});

it.each([
  ["replay", "plan", "grants"],
  ["replay", "run", "grants", "--yes", "--why", "mended"],
  ["letters", "discard", "grants", "--yes", "--why", "mended"],
  ["letters", "renew", "grants", "--why", "mended"],
  ["letters", "restore", "--name", "grants", "--why", "mended"],
])("%s %s is refused without a filter until --all is said", async (...words) => {
  const { exitCode, errors } = await run(...words);
  expect(errors).toMatch(/^Refused \(no-filter\): [^\n]+`--all`[^\n]*$/);
  expect(exitCode).toBe(2);
});
