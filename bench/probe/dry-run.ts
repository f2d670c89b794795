import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
} from "@aws-sdk/client-cloudformation";
import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { LambdaClient, UpdateEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { startCloudWatch } from "../../local/cloudwatch/server.ts";
import { startSqs } from "../../local/sqs/server.ts";
import type { ProbeClients } from "./probe.ts";

/** Clients that tell each call: of the embedded queues and metrics, and of stand-ins for what makes a
 *  function, since there is no embedded CloudFormation. */
export async function dryRunClients(tell: (line: string) => void): Promise<{
  readonly clients: ProbeClients;
  readonly close: () => Promise<void>;
}> {
  const servers = [await startSqs(), await startCloudWatch()] as const;
  const [queues, metrics] = servers;
  const told = (client: string, command: string, input: unknown): void =>
    tell(`    ${client} ${command} ${JSON.stringify(input)}`);
  const options = {
    region: "us-east-1",
    credentials: { accessKeyId: "dry-run", secretAccessKey: "dry-run" },
    logger: loggerOf(told),
  };
  const sqs = new SQSClient({ ...options, endpoint: queues.url });
  const clients: ProbeClients = {
    sqs,
    cloudWatch: new CloudWatchClient({ ...options, endpoint: metrics.url }),
    cloudFormation: new CloudFormationClient(options),
    lambda: new LambdaClient(options),
  };
  standIn(clients, told, await queueOf(queues.url));
  return {
    clients,
    async close(): Promise<void> {
      for (const client of Object.values(clients)) client.destroy();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

type Told = (client: string, command: string, input: unknown) => void;

type Call = { readonly clientName: string; readonly commandName: string; readonly input: unknown };

/** The SDK logs each call with its client, its command and its input. */
function loggerOf(told: Told): {
  readonly info: (call: Call) => void;
  readonly error: (call: Call) => void;
  readonly debug: () => void;
  readonly warn: () => void;
} {
  const log = ({ clientName, commandName, input }: Call): void =>
    told(clientName, commandName, input);
  const nothing = (): void => {};
  return { info: log, error: log, debug: nothing, warn: nothing };
}

function standIn({ cloudFormation, lambda }: ProbeClients, told: Told, queueUrl: string): void {
  let StackStatus: "CREATE_COMPLETE" | "DELETE_COMPLETE" = "CREATE_COMPLETE";
  const stacks = mockClient(cloudFormation);
  const shown = (command: string, input: unknown): void =>
    told("CloudFormationClient", command, input);
  stacks.on(CreateStackCommand).callsFake((input) => {
    shown("CreateStackCommand", input);
    return {};
  });
  stacks.on(DeleteStackCommand).callsFake((input) => {
    shown("DeleteStackCommand", input);
    StackStatus = "DELETE_COMPLETE";
    return {};
  });
  stacks.on(DescribeStacksCommand).callsFake((input) => {
    shown("DescribeStacksCommand", input);
    return {
      Stacks: [{ StackStatus, Outputs: [{ OutputKey: "QueueUrl", OutputValue: queueUrl }] }],
    };
  });
  mockClient(lambda)
    .on(UpdateEventSourceMappingCommand)
    .callsFake((input) => {
      told("LambdaClient", "UpdateEventSourceMappingCommand", input);
      return { State: "Enabled" };
    });
}

/** The queue of the stack that is not made. */
async function queueOf(endpoint: string): Promise<string> {
  const client = new SQSClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "dry-run", secretAccessKey: "dry-run" },
  });
  const { QueueUrl = "" } = await client.send(
    new CreateQueueCommand({ QueueName: "stack.fifo", Attributes: { FifoQueue: "true" } }),
  );
  client.destroy();
  return QueueUrl;
}
