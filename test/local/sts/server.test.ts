import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { afterEach, describe, expect, it } from "vitest";
import type { LocalServer } from "../../../local/http/server.ts";
import { type StsOptions, startSts } from "../../../local/sts/server.ts";

let server: LocalServer;
let client: STSClient;

async function start(options?: StsOptions) {
  server = await startSts(options);
  client = new STSClient({ endpoint: server.url, maxAttempts: 1 });
}

afterEach(async () => {
  client.destroy();
  await server.close();
});

describe("the embedded STS", () => {
  it("says that the caller is the root user of an account of zeros", async () => {
    await start();
    expect(await client.send(new GetCallerIdentityCommand({}))).toMatchObject({
      Account: "000000000000",
      Arn: "arn:aws:iam::000000000000:root",
      UserId: "000000000000",
    });
  });

  it("says who it was told that the caller is, with characters that XML must escape", async () => {
    const arn = "arn:aws:iam::123456789012:user/ops&<on>call";
    await start({ accountId: "123456789012", arn });
    const identity = await client.send(new GetCallerIdentityCommand({}));
    expect(identity).toMatchObject({ Account: "123456789012", Arn: arn });
  });

  it("refuses any other action by name", async () => {
    await start();
    const command = new AssumeRoleCommand({
      RoleArn: "arn:aws:iam::123456789012:role/ops",
      RoleSessionName: "ops",
    });
    await expect(client.send(command)).rejects.toMatchObject({
      name: "InvalidAction",
      message: "Could not find operation AssumeRole",
    });
  });
});
