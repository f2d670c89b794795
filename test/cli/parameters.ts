import {
  GetParameterCommand,
  GetParametersByPathCommand,
  ParameterNotFound,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from "@aws-sdk/client-ssm";
import type { AwsStub } from "aws-sdk-client-mock";

/** Values of a backlog's two SSM parameters. */
export const OPERATIONS = {
  sourceUrl: "https://sqs.eu-west-1.amazonaws.com/123456789012/source.fifo",
  letterQueueUrl: "https://sqs.eu-west-1.amazonaws.com/123456789012/letters.fifo",
  ledgerTable: "ledger",
  consumer: "consumer",
  replay: "replay",
  payload: "payload",
  snapshot: "snapshot",
  mapping: "0198c2f4-7d1e-7c55-9b1f-0242ac120002",
  policy: { warnAgeMs: 120_000, pageAgeMs: 600_000, maxCount: 10_000 },
  partitions: 64,
  maxAttempts: 3,
  pageAlarm: "backlogorder-grants-page",
  warnAlarm: "backlogorder-grants-warn",
};

export const PUBLISHING = {
  wire: 1,
  queueUrl: OPERATIONS.sourceUrl,
  partitions: OPERATIONS.partitions,
  hash: "fnv1a-32",
};

/** A Parameter Store that holds these values and no other, by name. */
export function setParameters(
  ssm: AwsStub<ServiceInputTypes, ServiceOutputTypes, object>,
  values: Readonly<Record<string, unknown>>,
) {
  ssm
    .on(GetParameterCommand)
    .callsFake(({ Name = "" }) => {
      if (!(Name in values)) throw new ParameterNotFound({ message: "", $metadata: {} });
      return { Parameter: { Name, Value: JSON.stringify(values[Name]) } };
    })
    .on(GetParametersByPathCommand)
    .callsFake(({ Path = "", Recursive = false }) => ({
      Parameters: Object.keys(values)
        .filter((name) => Recursive || !name.slice(Path.length + 1).includes("/"))
        .map((Name) => ({ Name })),
    }));
}
