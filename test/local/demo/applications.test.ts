import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { expect, it } from "vitest";
import { ledgerApplications, walletApplications } from "../../../local/demo/applications.ts";

const dynamo = mockClient(DynamoDBClient);

it("counts in the wallet how often each event was applied, over all pages", async () => {
  dynamo.reset();
  const entry = (id: string, applied: string, handledAtMs: string) => ({
    sk: { S: `entry#${id}` },
    applied: { N: applied },
    handledAtMs: { N: handledAtMs },
  });
  dynamo
    .on(ScanCommand)
    .resolvesOnce({ Items: [entry("e1", "1", "10")], LastEvaluatedKey: { pk: { S: "a" } } })
    .resolvesOnce({ Items: [{ sk: { S: "balance" } }, entry("e2", "2", "20")] });
  expect(await walletApplications(new DynamoDBClient(), "wallets")).toEqual(
    new Map([
      ["e1", { times: 1, firstAtMs: 10 }],
      ["e2", { times: 2, firstAtMs: 20 }],
    ]),
  );
});

it("takes from the ledger the applied records and those that a batch entry names", async () => {
  dynamo.reset();
  dynamo.on(ScanCommand).resolves({
    Items: [
      { ids: { SS: ["e1", "e2"] }, appliedAt: { N: "10" } },
      { id: { S: "e3" }, state: { S: "applied" }, appliedAt: { N: "20" } },
      { id: { S: "e4" }, state: { S: "dead" } },
      { sk: { S: "partitions" } },
    ],
  });
  const found = await ledgerApplications(new DynamoDBClient(), "ledger");
  expect([...found.keys()]).toEqual(["e1", "e2", "e3"]);
  // The ledger remembers that a record was applied, not how often its handler was called.
  expect(found.get("e3")).toEqual({ firstAtMs: 20 });
});
