import { GetQueueAttributesCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { GetParametersCommand } from "@aws-sdk/client-ssm";
import { onTestFinished } from "vitest";
import type { Cloud } from "../../../local/cloud.ts";
import { createClients } from "../../../local/deploy/clients.ts";
import { type Deployed, deploy } from "../../../local/deploy/deploy.ts";
import { assetsOf, localCloud } from "./local-cloud.ts";

export type Resources = Readonly<Record<string, object>>;

export const queue = (Properties: object = {}, policies: object = {}): object => ({
  ...{ Type: "AWS::SQS::Queue", Properties },
  ...policies,
});

export const parameter = (Value: unknown): object => ({
  Type: "AWS::SSM::Parameter",
  Properties: { Name: "/game/where", Type: "String", Value },
});

/** Its code is the asset of that name. */
export const functionIn = (name: string, more: object = {}): object => ({
  Type: "AWS::Lambda::Function",
  Properties: { Code: { S3Key: `${name}.zip` }, Handler: "index.handler", ...more },
});

/** No queue may wait so long for its readers. */
export const REFUSED = queue({ VisibilityTimeout: 50_000 });

/** A stack of a test, in a cloud of its own. */
export type Game = {
  readonly cloud: Cloud;
  readonly stack: Deployed;
  readonly sqs: SQSClient;
  /** With the sources that it had, or with others alone, as a later synth writes them. */
  update(Resources: Resources, sources?: Readonly<Record<string, string>>): Promise<Deployed>;
  parameter(): Promise<string | undefined>;
  attributesOf(QueueUrl: string | undefined): Promise<Readonly<Record<string, string>>>;
};

export async function game(
  Resources: Resources,
  sources: Readonly<Record<string, string>> = {},
  options: Parameters<typeof localCloud>[0] = {},
): Promise<Game> {
  const cloud = await localCloud(options);
  const clients = createClients(cloud);
  onTestFinished(() => clients.destroy());
  const assetsDirectory = assetsOf(sources);
  const stack = await deploy({
    template: { Resources },
    ...{ assetsDirectory, stackName: "Game", cloud },
  });
  onTestFinished(() => stack.stop());
  return {
    ...{ cloud, stack, sqs: clients.sqs },
    update: (next, later) =>
      stack.update({
        template: { Resources: next },
        assetsDirectory: later === undefined ? assetsDirectory : assetsOf(later),
      }),
    async parameter(): Promise<string | undefined> {
      const command = new GetParametersCommand({ Names: ["/game/where"] });
      return (await clients.ssm.send(command)).Parameters?.[0]?.Value;
    },
    async attributesOf(QueueUrl): Promise<Readonly<Record<string, string>>> {
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] });
      return (await clients.sqs.send(command)).Attributes ?? {};
    },
  };
}
