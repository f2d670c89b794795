import { dirname, join } from "node:path";
import { ACCESS } from "./access.ts";

/** An emulator that commands are sent to, and where they keep their files. */
export type Target = {
  readonly endpoint: string;
  readonly scratch: string;
  /** Ends a command that runs. */
  readonly signal: AbortSignal;
};

/** What a command may know. Nothing of the caller's own: no keys or profiles of an account. */
export function commandEnvironment({ endpoint, scratch }: Target): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: scratch,
    TMPDIR: scratch,
    CDK_DISABLE_CLI_TELEMETRY: "true",
    AWS_CONFIG_FILE: join(scratch, "none"),
    AWS_SHARED_CREDENTIALS_FILE: join(scratch, "none"),
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: ACCESS.region,
    AWS_DEFAULT_REGION: ACCESS.region,
    AWS_ACCESS_KEY_ID: ACCESS.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: ACCESS.credentials.secretAccessKey,
  };
}
