import {
  DeleteParameterCommand,
  GetParameterCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
  ParameterAlreadyExists,
  ParameterNotFound,
  ParameterVersionNotFound,
  PutParameterCommand,
  SSMClient,
} from "@aws-sdk/client-ssm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ssm, startSsm } from "../../../local/ssm/server.ts";

const NOW_MS = 1_800_000_000_000;

let ssm: Ssm;
let client: SSMClient;

beforeEach(async () => {
  ssm = await startSsm({ now: () => NOW_MS });
  client = new SSMClient({ endpoint: ssm.url, maxAttempts: 1 });
});

afterEach(async () => {
  client.destroy();
  await ssm.close();
});

async function readValue(Name: string) {
  return (await client.send(new GetParameterCommand({ Name }))).Parameter?.Value;
}

async function namesUnder(Path: string, Recursive: boolean) {
  const names: (string | undefined)[] = [];
  let NextToken: string | undefined;
  let pages = 0;
  do {
    const page = await client.send(
      new GetParametersByPathCommand({ Path, Recursive, MaxResults: 2, NextToken }),
    );
    names.push(...(page.Parameters ?? []).map(({ Name }) => Name));
    NextToken = page.NextToken;
    pages += 1;
  } while (NextToken !== undefined);
  return { names, pages };
}

describe("the embedded Parameter Store", () => {
  it("gives back what was put, with its version, time and ARN", async () => {
    const put = new PutParameterCommand({ Name: "/game/queue", Value: "q", Type: "String" });
    expect(await client.send(put)).toMatchObject({ Version: 1, Tier: "Standard" });
    const { Parameter } = await client.send(new GetParameterCommand({ Name: "/game/queue" }));
    expect(Parameter).toEqual({
      Name: "/game/queue",
      Type: "String",
      Value: "q",
      Version: 1,
      LastModifiedDate: new Date(NOW_MS),
      ARN: "arn:aws:ssm:us-east-1:000000000000:parameter/game/queue",
      DataType: "text",
    });
  });

  it("overwrites only where it is told to, and keeps the type", async () => {
    const Name = "/game/queue";
    await client.send(new PutParameterCommand({ Name, Value: "a,b", Type: "StringList" }));
    const again = client.send(new PutParameterCommand({ Name, Value: "c" }));
    await expect(again).rejects.toBeInstanceOf(ParameterAlreadyExists);
    expect(await readValue(Name)).toBe("a,b");

    const over = new PutParameterCommand({ Name, Value: "c", Overwrite: true });
    expect(await client.send(over)).toMatchObject({ Version: 2 });
    const { Parameter } = await client.send(new GetParameterCommand({ Name }));
    expect(Parameter).toMatchObject({ Value: "c", Version: 2, Type: "StringList" });
  });

  it("finds an older version by its number", async () => {
    ssm.put("/game/queue", "first");
    ssm.put("/game/queue", "second");
    const { Parameter } = await client.send(new GetParameterCommand({ Name: "/game/queue:1" }));
    expect(Parameter).toMatchObject({ Name: "/game/queue", Value: "first", Selector: ":1" });
    await expect(readValue("/game/queue:3")).rejects.toBeInstanceOf(ParameterVersionNotFound);
  });

  it("forgets a deleted parameter with its versions", async () => {
    ssm.put("/game/queue", "first");
    await client.send(new DeleteParameterCommand({ Name: "/game/queue" }));
    await expect(readValue("/game/queue")).rejects.toBeInstanceOf(ParameterNotFound);
    const again = client.send(new DeleteParameterCommand({ Name: "/game/queue" }));
    await expect(again).rejects.toBeInstanceOf(ParameterNotFound);
    ssm.put("/game/queue", "new");
    expect(await readValue("/game/queue:1")).toBe("new");
  });

  it("gets several at once and names those that it does not have", async () => {
    ssm.put("/game/queue", "q");
    const Names = ["/game/queue", "/game/none", "/game/queue:9"];
    const answer = await client.send(new GetParametersCommand({ Names }));
    expect(answer.Parameters?.map(({ Value }) => Value)).toEqual(["q"]);
    expect(answer.InvalidParameters).toEqual(["/game/none", "/game/queue:9"]);
  });

  it("lists a path page by page, its deeper levels only when asked", async () => {
    for (const name of ["/game/c", "/game/a", "/game/b", "/game/b/deep", "/gamer/x"]) {
      ssm.put(name, "v");
    }
    expect(await namesUnder("/game", false)).toEqual({
      names: ["/game/a", "/game/b", "/game/c"],
      pages: 2,
    });
    expect(await namesUnder("/game/", true)).toEqual({
      names: ["/game/a", "/game/b", "/game/b/deep", "/game/c"],
      pages: 2,
    });
  });

  it.each([
    { Name: "game/queue", Value: "q", why: "a name with slashes must begin with one" },
    { Name: "/aws/queue", Value: "q", why: "AWS keeps this prefix" },
    { Name: "/game/a queue", Value: "q", why: "a blank is not allowed in a name" },
    { Name: "/game/queue", Value: "", why: "a value has at least one character" },
    { Name: "/game/queue", Value: "é".repeat(2049), why: "a standard value has 4096 bytes" },
  ])("refuses $Name: $why", async ({ Name, Value }) => {
    const put = client.send(new PutParameterCommand({ Name, Value, Type: "String" }));
    await expect(put).rejects.toMatchObject({ name: "ValidationException" });
    await expect(readValue(Name)).rejects.toBeInstanceOf(ParameterNotFound);
  });
});
