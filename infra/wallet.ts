import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { Construct } from "constructs";
import type { GameHandler } from "./game-handler.ts";

/** Table of the example game, which grants coins and items to players. Deployed with the default
 *  handler only. */
export class Wallet extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.table = new TableV2(this, "Table", {
      partitionKey: { name: "pk", type: AttributeType.STRING },
      sortKey: { name: "sk", type: AttributeType.STRING },
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }

  /** The same handler, with the wallet's table granted and named to it as `WALLET_TABLE`. */
  openTo(handler: GameHandler): GameHandler {
    return {
      ...handler,
      tables: [...(handler.tables ?? []), this.table],
      environment: { ...handler.environment, WALLET_TABLE: this.table.tableName },
    };
  }
}
