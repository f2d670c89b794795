import type { Operation } from "../http/aws-json.ts";
import { setAttributes } from "./attribute-operations.ts";
import { type Engine, queueAt } from "./engine.ts";
import type { Queue } from "./queue.ts";
import { invalidValue } from "./sqs-errors.ts";

type PermissionInput = {
  readonly QueueUrl?: string;
  readonly Label?: string;
  readonly AWSAccountIds?: readonly string[];
  readonly Actions?: readonly string[];
};

type Policy = {
  readonly Version: string;
  readonly Id?: string;
  readonly Statement: readonly { readonly Sid?: string }[];
};

/** AddPermission and RemovePermission. Policies are kept and told, never enforced. */
export function permissionOperations(engine: Engine): Readonly<Record<string, Operation>> {
  return {
    AddPermission(input: PermissionInput): void {
      const queue = queueAt(engine, input.QueueUrl);
      const policy = policyOf(queue);
      if (policy.Statement.some(({ Sid }) => Sid === input.Label)) {
        throw invalidValue("Label", input.Label, "Already exists.");
      }
      setPolicy(queue, { ...policy, Statement: [...policy.Statement, statement(queue, input)] });
    },
    RemovePermission({ QueueUrl, Label }: PermissionInput): void {
      const queue = queueAt(engine, QueueUrl);
      const policy = policyOf(queue);
      const Statement = policy.Statement.filter(({ Sid }) => Sid !== Label);
      if (Statement.length === policy.Statement.length) {
        throw invalidValue("Label", Label, "can't find label on existing policy.");
      }
      setPolicy(queue, { ...policy, Statement });
    },
  };
}

function policyOf(queue: Queue): Policy {
  const text = queue.attributes["Policy"];
  if (text !== undefined) return JSON.parse(text);
  return { Version: "2008-10-17", Id: `${queue.arn}/SQSDefaultPolicy`, Statement: [] };
}

function setPolicy(queue: Queue, policy: Policy): void {
  setAttributes(queue, { Policy: policy.Statement.length === 0 ? "" : JSON.stringify(policy) });
}

function statement(
  queue: Queue,
  { Label = "", AWSAccountIds = [], Actions = [] }: PermissionInput,
): object {
  return {
    Sid: Label,
    Effect: "Allow",
    Principal: { AWS: AWSAccountIds.map((accountId) => `arn:aws:iam::${accountId}:root`) },
    Action: Actions.map((action) => `SQS:${action}`),
    Resource: queue.arn,
  };
}
