import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export type FunctionProps = {
  readonly name: string;
  /** Directory with the bundle, such as an asset in cdk.out. */
  readonly codeDirectory: string;
  /** File and export: `index.handler` is `handler` of `index.mjs`. */
  readonly handler: string;
  /** From 1 to 900. */
  readonly timeoutSeconds: number;
  /** Also the heap limit of the process; from 128 to 10240. */
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Times that a failed asynchronous invocation is repeated, 0 to 2. @default 2 */
  readonly asyncRetriesMax?: number;
};

/** What can be changed of a function; what is left out stays as it is. */
export type FunctionChanges = Partial<Omit<FunctionProps, "name">>;

/** A function's code and settings from one deployment to the next. */
export type FunctionVersion = Required<FunctionProps> & {
  readonly arn: string;
  readonly codeSha256: string;
  readonly codeBytes: number;
  /** ISO 8601. */
  readonly lastModified: string;
};

/** Checks the properties, and reads the bundle's hash as it is now.
 *  @throws RangeError if a number is outside of Lambda's range or the directory is missing. */
export function functionVersion(props: FunctionProps, arnPrefix: string): FunctionVersion {
  assertWhole("timeoutSeconds", props.timeoutSeconds, 1, 900);
  assertWhole("memoryMb", props.memoryMb, 128, 10_240);
  const asyncRetriesMax = props.asyncRetriesMax ?? 2;
  assertWhole("asyncRetriesMax", asyncRetriesMax, 0, 2);
  if (!statSync(props.codeDirectory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new RangeError(
      `Expected \`codeDirectory\` of function ${props.name} to be a directory, got \`${props.codeDirectory}\`. Synthesize the app first`,
    );
  }
  const code = codeOf(props);
  return {
    ...props,
    asyncRetriesMax,
    arn: `${arnPrefix}${props.name}`,
    codeSha256: createHash("sha256").update(code).digest("base64"),
    codeBytes: code.length,
    lastModified: new Date().toISOString().replace("Z", "+0000"),
  };
}

/** Empty where the bundle has no such file: that is the first invocation's error, as on AWS. */
function codeOf({ codeDirectory, handler }: FunctionProps): Buffer {
  const file = join(codeDirectory, `${handler.slice(0, handler.lastIndexOf("."))}.mjs`);
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : Buffer.of();
}

function assertWhole(property: string, value: number, from: number, to: number): void {
  if (!Number.isInteger(value) || value < from || value > to) {
    throw new RangeError(
      `Expected \`${property}\` to be a whole number from ${from} to ${to}, got \`${value}\``,
    );
  }
}
