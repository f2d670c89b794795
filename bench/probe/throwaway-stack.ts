import {
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
  waitUntilStackDeleteComplete,
} from "@aws-sdk/client-cloudformation";
import type { ProbeStage } from "./probe.ts";

/** Seconds for a stack of five resources to come or to go. */
const STACK_SECONDS = 300;

/** Reports each record as failed at once, so that nothing but the answer decides when it returns. */
const HANDLER = `exports.handler = async ({ Records }) => {
  console.log(JSON.stringify(Records.map(({ attributes }) => attributes)));
  return { batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
};`;

/**
 * A queue, a function that fails every record, and the mapping between them; all of it, its role
 * included, is deleted at the end.
 * @returns the stack's outputs: QueueUrl, MappingId, FunctionName.
 */
export async function createThrowawayStack(
  { cloudFormation: client, prefix, atEnd }: ProbeStage,
  { visibilitySeconds }: { readonly visibilitySeconds: number },
): Promise<ReadonlyMap<string, string>> {
  const StackName = `${prefix}-function`;
  const within = { client, maxWaitTime: STACK_SECONDS };
  await client.send(
    new CreateStackCommand({
      StackName,
      TemplateBody: JSON.stringify(templateOf(visibilitySeconds)),
      Capabilities: ["CAPABILITY_IAM"],
      OnFailure: "DELETE",
    }),
  );
  atEnd(async () => {
    await client.send(new DeleteStackCommand({ StackName }));
    await waitUntilStackDeleteComplete(within, { StackName });
  });
  await waitUntilStackCreateComplete(within, { StackName });
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  const outputs = Stacks[0]?.Outputs ?? [];
  return new Map(
    outputs.map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue] as const),
  );
}

function templateOf(visibilitySeconds: number): unknown {
  const queueArn = { "Fn::GetAtt": ["Queue", "Arn"] };
  return {
    Resources: {
      Queue: {
        Type: "AWS::SQS::Queue",
        Properties: { FifoQueue: true, VisibilityTimeout: visibilitySeconds },
      },
      Role: {
        Type: "AWS::IAM::Role",
        Properties: {
          AssumeRolePolicyDocument: {
            Version: "2012-10-17",
            Statement: [
              {
                Effect: "Allow",
                Principal: { Service: "lambda.amazonaws.com" },
                Action: "sts:AssumeRole",
              },
            ],
          },
          Policies: [
            {
              PolicyName: "queue",
              PolicyDocument: {
                Version: "2012-10-17",
                Statement: [
                  {
                    Effect: "Allow",
                    Action: [
                      "sqs:ReceiveMessage",
                      "sqs:DeleteMessage",
                      "sqs:GetQueueAttributes",
                      "sqs:ChangeMessageVisibility",
                    ],
                    Resource: queueArn,
                  },
                ],
              },
            },
          ],
        },
      },
      Function: {
        Type: "AWS::Lambda::Function",
        Properties: {
          Runtime: "nodejs24.x",
          Handler: "index.handler",
          Timeout: 10,
          Role: { "Fn::GetAtt": ["Role", "Arn"] },
          Code: { ZipFile: HANDLER },
        },
      },
      Mapping: {
        Type: "AWS::Lambda::EventSourceMapping",
        Properties: {
          EventSourceArn: queueArn,
          FunctionName: { Ref: "Function" },
          BatchSize: 10,
          FunctionResponseTypes: ["ReportBatchItemFailures"],
        },
      },
    },
    Outputs: {
      QueueUrl: { Value: { Ref: "Queue" } },
      MappingId: { Value: { Ref: "Mapping" } },
      FunctionName: { Value: { Ref: "Function" } },
    },
  };
}
