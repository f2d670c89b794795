import { SQS_LIMITS } from "../../lambdas/core/limits.ts";
import { invalidValue } from "./sqs-errors.ts";

export type RedrivePolicy = {
  readonly deadLetterTargetArn: string;
  /** Receives after which the next one moves the message instead. */
  readonly maxReceiveCount: number;
};

/** What the check of a policy must know of the two queues. */
export type RedriveQueue = {
  readonly arn: string;
  readonly fifo: boolean;
  readonly attributes: Readonly<Record<string, string>>;
};

/** Reads a policy that was checked before; undefined where there is none. */
export function readRedrivePolicy(text: string | undefined): RedrivePolicy | undefined {
  if (text === undefined || text === "") return undefined;
  const { deadLetterTargetArn, maxReceiveCount } = JSON.parse(text);
  return { deadLetterTargetArn, maxReceiveCount: Number(maxReceiveCount) };
}

/**
 * Checks the policy that `source` is to have.
 * @throws ServiceError InvalidParameterValue
 */
export function checkRedrivePolicy(
  text: string | undefined,
  source: Pick<RedriveQueue, "arn" | "fifo">,
  queueByArn: (arn: string) => RedriveQueue | undefined,
): void {
  if (text === undefined || text === "") return;
  const refuse = (reason: string): Error => invalidValue("RedrivePolicy", text, reason);
  const policy = parseMap(text);
  if (policy === undefined) throw refuse("Redrive policy is not a valid JSON map.");
  const max = Number(policy["maxReceiveCount"]);
  if (!(Number.isInteger(max) && max >= 1 && max <= SQS_LIMITS.maxReceiveCount)) {
    throw refuse(
      `Invalid value for maxReceiveCount: ${policy["maxReceiveCount"]}, valid values are from 1 to ${SQS_LIMITS.maxReceiveCount} both inclusive.`,
    );
  }
  const target = queueByArn(String(policy["deadLetterTargetArn"]));
  if (target === undefined) throw refuse("Dead letter target does not exist.");
  if (target.fifo !== source.fifo) {
    throw refuse("Dead-letter queue must be same type of queue as the source queue.");
  }
  if (!allows(target.attributes["RedriveAllowPolicy"], source.arn)) {
    throw refuse(`Queue ${target.arn} does not allow this queue to use it as a dead-letter queue.`);
  }
}

/** @throws ServiceError InvalidParameterValue */
export function checkRedriveAllowPolicy(text: string | undefined): void {
  if (text === undefined || text === "") return;
  const permission = parseMap(text)?.["redrivePermission"];
  if (["allowAll", "denyAll", "byQueue"].includes(String(permission))) return;
  throw invalidValue(
    "RedriveAllowPolicy",
    text,
    "redrivePermission must be allowAll, denyAll or byQueue.",
  );
}

function allows(allowPolicy: string | undefined, sourceArn: string): boolean {
  const policy = allowPolicy === undefined ? undefined : parseMap(allowPolicy);
  const { redrivePermission = "allowAll", sourceQueueArns = [] } = policy ?? {};
  if (redrivePermission === "byQueue") {
    return Array.isArray(sourceQueueArns) && sourceQueueArns.includes(sourceArn);
  }
  return redrivePermission !== "denyAll";
}

function parseMap(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
