import { CustomResource, Duration } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { BacklogFunction } from "./backlog-function.ts";
import type { LedgerTable } from "./ledger-table.ts";

export type PartitionLockProps = {
  readonly ledger: LedgerTable;
  readonly partitions: number;
  /** The backlog's name. */
  readonly backlog: string;
};

/**
 * Writes the partition count and the name into the ledger at the first deploy and fails every later
 * deploy with another one. Whatever such a deploy must not change depends on its `check`.
 */
export class PartitionLock extends Construct {
  /** Done once the count and the name are found to be right. */
  readonly check: CustomResource;

  constructor(scope: Construct, id: string, { ledger, partitions, backlog }: PartitionLockProps) {
    super(scope, id);
    const lock = new BacklogFunction(this, "Function", {
      file: "partition-lock.ts",
      description: "Keeps a backlog's partition count as it was first deployed",
      timeoutSeconds: 60,
      memoryMiB: 256,
      permissions: [
        new PolicyStatement({
          actions: ["dynamodb:UpdateItem"],
          resources: [ledger.tableArn],
        }),
      ],
    });
    this.check = new CustomResource(this, "Partitions", {
      resourceType: "Custom::BacklogPartitions",
      serviceToken: lock.functionArn,
      properties: { Partitions: partitions, Backlog: backlog, TableName: ledger.tableName },
      // Lambda repeats a failed invocation twice, waiting one and two minutes.
      serviceTimeout: Duration.minutes(10),
    });
  }
}
