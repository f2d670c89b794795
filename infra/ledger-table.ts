import { RemovalPolicy } from "aws-cdk-lib";
import {
  AttributeType,
  Billing,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
} from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";

/** Sparse index over the records that are retrying or dead. */
export const OPEN_INDEX = "open";

/** The table that knows what was applied, who is blocked, and the backlog's partition count. */
export class LedgerTable extends TableV2 {
  /** ARN of the index over retrying and dead records. */
  readonly openIndexArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id, {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billing: Billing.onDemand(),
      timeToLiveAttribute: "expiresAt",
      globalSecondaryIndexes: [
        {
          indexName: OPEN_INDEX,
          partitionKey: { name: "openPartition", type: AttributeType.STRING },
          sortKey: { name: "openOffset", type: AttributeType.STRING },
          projectionType: ProjectionType.ALL,
        },
      ],
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      // Not deleted even when a first deploy is rolled back, unlike the queues: a protected table
      // refuses its deletion, and the rollback itself would fail on it.
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.openIndexArn = `${this.tableArn}/index/${OPEN_INDEX}`;
  }
}
