import type { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import type { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import type { LambdaClient } from "@aws-sdk/client-lambda";
import type { SQSClient } from "@aws-sdk/client-sqs";

/** One question about AWS that its documentation leaves open, and how to ask AWS itself. */
export type Probe = {
  /** Short name, to choose it on the command line. */
  readonly name: string;
  readonly question: string;
  /** What the project takes for true until AWS has answered. */
  readonly assumed: string;
  /** Whether only an account can answer; a dry run then shows the calls alone. */
  readonly accountOnly?: boolean;
  /** Rejects where AWS does not answer; whatever it made is taken away afterwards all the same. */
  answer(stage: ProbeStage): Promise<string>;
};

export type ProbeClients = {
  readonly sqs: SQSClient;
  readonly cloudWatch: CloudWatchClient;
  readonly cloudFormation: CloudFormationClient;
  readonly lambda: LambdaClient;
};

/** What a probe works with. */
export type ProbeStage = ProbeClients & {
  /** Begins every name that a probe gives, so that what is left by an accident can be found. */
  readonly prefix: string;
  /** Runs at the end, newest first, also where the probe failed. */
  atEnd(step: () => Promise<unknown>): void;
  /** Waits for real. */
  sleep(ms: number): Promise<void>;
  /** How long a metric is watched; 0 = asked for once. */
  readonly watchMs: number;
};
