import type { LocalServer } from "../http/server.ts";

export const REGION = "us-east-1";
export const ACCOUNT_ID = "000000000000";

export type Servers = Readonly<
  Record<"sqs" | "dynamodb" | "cloudwatch" | "ssm" | "sts", LocalServer>
>;

/** The discard port of this machine, where nothing listens. */
const NOWHERE = "http://127.0.0.1:9";

/**
 * Variables that point the SDK at the embedded services. Any other service is looked for where
 * nothing answers, so that a call cannot leave this machine.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export function cloudEnvironment(servers: Servers): Record<string, string> {
  return {
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_ENDPOINT_URL: NOWHERE,
    AWS_ENDPOINT_URL_SQS: servers.sqs.url,
    AWS_ENDPOINT_URL_DYNAMODB: servers.dynamodb.url,
    AWS_ENDPOINT_URL_CLOUDWATCH: servers.cloudwatch.url,
    AWS_ENDPOINT_URL_SSM: servers.ssm.url,
    AWS_ENDPOINT_URL_STS: servers.sts.url,
  };
}
