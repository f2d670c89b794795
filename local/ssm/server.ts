import { serveJson } from "../http/aws-json.ts";
import type { ListenOptions, LocalServer } from "../http/server.ts";
import { openKeptMap } from "../kept-map.ts";
import { parameterOperations } from "./parameter-operations.ts";
import { createParameterStore, type KeptParameters } from "./parameter-store.ts";

export type SsmOptions = ListenOptions & {
  /** Epoch milliseconds. @default Date.now */
  readonly now?: () => number;
  /** What a parameter's name follows in its ARN. @default an account of zeros in us-east-1 */
  readonly parameterArnPrefix?: string;
  /** @default in memory */
  readonly parameters?: KeptParameters;
};

/** The embedded Parameter Store. */
export type Ssm = LocalServer & {
  /** Sets a String parameter, or the next version of one that exists, as a deploy does. */
  put(name: string, value: string): void;
};

/** Starts an embedded Parameter Store on loopback. */
export async function startSsm(options: SsmOptions = {}): Promise<Ssm> {
  const {
    now = Date.now,
    parameterArnPrefix = "arn:aws:ssm:us-east-1:000000000000:parameter",
    parameters = openKeptMap(undefined),
  } = options;
  const store = createParameterStore(now, parameters);
  const operations = parameterOperations(store, parameterArnPrefix);
  const server = await serveJson({ version: "1.1", operations }, options);
  return {
    ...server,
    put(name, value): void {
      store.put({ name, value, type: "String", overwrite: true });
    },
  };
}
