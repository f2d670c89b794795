import {
  DeleteEventSourceMappingCommand,
  DeleteFunctionCommand,
  GetEventSourceMappingCommand,
  GetFunctionCommand,
  GetFunctionConfigurationCommand,
  InvokeCommand,
  type InvokeCommandInput,
  LambdaClient,
  ListEventSourceMappingsCommand,
  ListFunctionsCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Lambda } from "../../../local/lambda/server.ts";
import { functionOf } from "./function-bundle.ts";
import { localLambda } from "./local-lambda.ts";
import { MAPPING, mappedQueue, VISIBILITY_SECONDS } from "./mapped-queue.ts";

const ARN = "arn:aws:lambda:us-east-1:000000000000:function:game";

const eventually = (condition: () => unknown) =>
  vi.waitFor(condition, { timeout: 10_000, interval: 20 });

function clientOf({ url }: Lambda): LambdaClient {
  const client = new LambdaClient({ endpoint: url, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  return client;
}

async function invoked(lambda: Lambda, input: Partial<InvokeCommandInput> = {}) {
  const command = new InvokeCommand({ FunctionName: "game", Payload: '{"gold":5}', ...input });
  const { Payload, ...answer } = await clientOf(lambda).send(command);
  return { ...answer, text: Buffer.from(Payload ?? []).toString() };
}

describe("Invoke", () => {
  it.each([
    { FunctionName: "game", why: "its name" },
    { FunctionName: ARN, why: "its ARN" },
    { FunctionName: "000000000000:function:game", why: "a part of its ARN" },
    { FunctionName: `${ARN}:$LATEST`, why: "its ARN with the version" },
  ])("answers with the payload of a function called by $why", async ({ FunctionName }) => {
    const lambda = await localLambda();
    lambda.createFunction(functionOf("return event;"));
    const answer = await invoked(lambda, { FunctionName });
    expect(answer).toMatchObject({ StatusCode: 200, ExecutedVersion: "$LATEST" });
    expect(answer.text).toBe('{"gold":5}');
    expect(answer.FunctionError).toBeUndefined();
    expect(answer.LogResult).toBeUndefined();
  });

  it("tells a function error in its header, and sends the end of the log if asked", async () => {
    const lambda = await localLambda();
    lambda.createFunction(functionOf('console.log("here"); throw new Error("boom");'));
    const answer = await invoked(lambda, { LogType: "Tail" });
    expect(answer).toMatchObject({ StatusCode: 200, FunctionError: "Unhandled" });
    expect(JSON.parse(answer.text)).toMatchObject({ errorType: "Error", errorMessage: "boom" });
    expect(Buffer.from(answer.LogResult ?? "", "base64").toString()).toContain("\nhere\n");
  });

  it("gives the handler an empty object where there is no payload", async () => {
    const lambda = await localLambda();
    lambda.createFunction(functionOf("return event;"));
    expect((await invoked(lambda, { Payload: "" })).text).toBe("{}");
  });

  it("does not wait for an asynchronous invocation", async () => {
    const lines: string[] = [];
    const lambda = await localLambda({ onLine: ({ text }) => lines.push(text) });
    lambda.createFunction(
      functionOf("await new Promise((done) => setTimeout(done, 200)); console.log(event.gold);"),
    );
    const answer = await invoked(lambda, { InvocationType: "Event" });
    expect(answer).toMatchObject({ StatusCode: 202, text: "" });
    expect(lines).toEqual([]);
    await eventually(() => expect(lines).toEqual(["5"]));
  });

  it("runs nothing in a dry run", async () => {
    const lambda = await localLambda();
    lambda.createFunction(functionOf(""));
    expect(await invoked(lambda, { InvocationType: "DryRun" })).toMatchObject({ StatusCode: 204 });
    expect(lambda.environments()).toEqual([]);
  });

  it.each([
    {
      input: { FunctionName: "shop" },
      error: { name: "ResourceNotFoundException", $metadata: { httpStatusCode: 404 } },
    },
    {
      input: { Payload: "{gold" },
      error: { name: "InvalidRequestContentException", $metadata: { httpStatusCode: 400 } },
    },
    {
      input: { Payload: JSON.stringify("x".repeat(6_300_000)) },
      error: { name: "RequestTooLargeException", $metadata: { httpStatusCode: 413 } },
    },
  ])("refuses with $error.name", async ({ input, error }) => {
    const lambda = await localLambda();
    lambda.createFunction(functionOf(""));
    await expect(invoked(lambda, input)).rejects.toMatchObject(error);
  });

  it("answers TooManyRequestsException once Lambda is out of slots for too long", async () => {
    const lambda = await localLambda({ concurrency: 1 });
    lambda.createFunction(functionOf("await new Promise(() => {});", { timeoutSeconds: 60 }));
    const running = lambda.invoke("game", {});
    const waiting = expect(invoked(lambda)).rejects.toMatchObject({
      name: "TooManyRequestsException",
      Reason: "ConcurrentInvocationLimitExceeded",
      $metadata: { httpStatusCode: 429 },
    });
    await eventually(() => expect(lambda.environments()).toMatchObject([{ busy: true }]));
    await waiting;
    await lambda.close();
    await running;
  }, 20_000);
});

describe("functions by the SDK", () => {
  it("are described as they were made, and anew after new code", async () => {
    const lambda = await localLambda();
    const environment = { TABLE: "wallets" };
    lambda.createFunction(functionOf("return 1;", { environment, memoryMb: 512 }));
    const client = clientOf(lambda);
    const get = new GetFunctionConfigurationCommand({ FunctionName: "game" });
    const before = await client.send(get);
    expect(before).toMatchObject({
      FunctionName: "game",
      FunctionArn: ARN,
      Handler: "index.handler",
      Timeout: 5,
      MemorySize: 512,
      Environment: { Variables: environment },
      State: "Active",
      LastUpdateStatus: "Successful",
    });
    const { Configuration } = await client.send(new GetFunctionCommand({ FunctionName: ARN }));
    expect(Configuration).toEqual({ ...before, $metadata: undefined });

    const { codeDirectory } = functionOf("return 2;");
    const changes = { timeoutSeconds: 7, memoryMb: 256, environment: { TABLE: "purses" } };
    lambda.updateFunction("game", { codeDirectory, ...changes });

    const after = await client.send(get);
    expect(after.CodeSha256).not.toBe(before.CodeSha256);
    expect(after).toMatchObject({
      ...{ Timeout: 7, MemorySize: 256, Handler: "index.handler" },
      Environment: { Variables: { TABLE: "purses" } },
    });
    await expect(
      client.send(new GetFunctionCommand({ FunctionName: "shop" })),
    ).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  });

  it("run with new variables from the next invocation on", async () => {
    const lambda = await localLambda();
    const game = functionOf("return process.env.STAGE;", { environment: { STAGE: "old" } });
    lambda.createFunction(game);
    expect((await lambda.invoke("game", {})).payload).toBe("old");
    lambda.updateFunction("game", { environment: { STAGE: "new" } });
    expect((await lambda.invoke("game", {})).payload).toBe("new");
  });

  it("are gone once they are deleted, processes and all, and the name is free", async () => {
    const { lambda } = await mappedQueue(functionOf("return 1;"));
    await lambda.invoke("game", {});
    const client = clientOf(lambda);
    await client.send(new DeleteFunctionCommand({ FunctionName: ARN }));

    await expect(invoked(lambda)).rejects.toMatchObject({ name: "ResourceNotFoundException" });
    await eventually(() => expect(lambda.environments()).toEqual([]));
    await expect(
      client.send(new DeleteFunctionCommand({ FunctionName: ARN })),
    ).rejects.toMatchObject({ name: "ResourceNotFoundException" });
    // A mapping outlives its function, as on AWS.
    const { FunctionArn } = await client.send(new GetEventSourceMappingCommand({ UUID: MAPPING }));
    expect(FunctionArn).toBe(ARN);
    lambda.createFunction(functionOf("return 2;"));
    expect((await lambda.invoke("game", {})).payload).toBe(2);
  });

  it("are listed in pages", async () => {
    const lambda = await localLambda();
    for (const name of ["consumer", "replay", "snapshot"]) {
      lambda.createFunction(functionOf("", { name }));
    }
    const client = clientOf(lambda);
    const first = await client.send(new ListFunctionsCommand({ MaxItems: 2 }));
    const second = await client.send(
      new ListFunctionsCommand({ MaxItems: 2, Marker: first.NextMarker }),
    );
    const names = [first, second].map(({ Functions = [] }) =>
      Functions.map(({ FunctionName }) => FunctionName),
    );
    expect(names).toEqual([["consumer", "replay"], ["snapshot"]]);
    expect(second.NextMarker).toBeUndefined();
  });
});

describe("event source mappings by the SDK", { timeout: 20_000 }, () => {
  it("are found by function and by queue", async () => {
    const { lambda, queueArn } = await mappedQueue(functionOf(""));
    const client = clientOf(lambda);
    const list = async (filter: { FunctionName?: string; EventSourceArn?: string }) => {
      const found = await client.send(new ListEventSourceMappingsCommand(filter));
      return found.EventSourceMappings?.map(({ UUID }) => UUID);
    };
    expect(await list({})).toEqual([MAPPING]);
    expect(await list({ FunctionName: ARN, EventSourceArn: queueArn })).toEqual([MAPPING]);
    expect(await list({ EventSourceArn: `${queueArn}-other` })).toEqual([]);
    await expect(list({ FunctionName: "shop" })).rejects.toThrow("Function not found");
    const one = await client.send(new GetEventSourceMappingCommand({ UUID: MAPPING }));
    expect(one).toMatchObject({
      UUID: MAPPING,
      FunctionArn: ARN,
      EventSourceArn: queueArn,
      BatchSize: 10,
      ScalingConfig: { MaximumConcurrency: 4 },
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      State: "Enabled",
      LastModified: expect.any(Date),
    });
    await expect(
      client.send(new GetEventSourceMappingCommand({ UUID: "none" })),
    ).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  });

  it("are disabled when the running invocation is done, and enabled again", async () => {
    const queue = await mappedQueue(
      functionOf(
        "console.log(JSON.stringify(event.Records[0].body)); await new Promise((done) => setTimeout(done, 500));",
      ),
    );
    const client = clientOf(queue.lambda);
    const get = new GetEventSourceMappingCommand({ UUID: MAPPING });
    const state = async () => (await client.send(get)).State;
    const update = (Enabled: boolean) =>
      client.send(new UpdateEventSourceMappingCommand({ UUID: MAPPING, Enabled }));
    await queue.send("a");
    await eventually(() => expect(queue.seen).toEqual(["a"]));

    expect(await update(false)).toMatchObject({ State: "Disabling" });
    expect(queue.invocations).toEqual([]);
    await expect(update(true)).rejects.toMatchObject({ name: "ResourceInUseException" });
    await eventually(async () => expect(await state()).toBe("Disabled"));
    expect(queue.invocations).toMatchObject([{ outcome: "success" }]);
    expect(await queue.waiting()).toBe(0);

    await queue.send("b");
    expect(await queue.inFlight()).toBe(0);
    expect(await update(true)).toMatchObject({ State: "Enabling" });
    await eventually(() => expect(queue.seen).toEqual(["a", "b"]));
    expect(await state()).toBe("Enabled");
  });

  it("are deleted when the running invocation is done, and nothing more is carried", async () => {
    const queue = await mappedQueue(
      functionOf(
        "console.log(JSON.stringify(event.Records[0].body)); await new Promise((done) => setTimeout(done, 500));",
      ),
    );
    const client = clientOf(queue.lambda);
    await queue.send("a");
    await eventually(() => expect(queue.seen).toEqual(["a"]));

    const remove = new DeleteEventSourceMappingCommand({ UUID: MAPPING });
    expect(await client.send(remove)).toMatchObject({ UUID: MAPPING, State: "Deleting" });
    const change = new UpdateEventSourceMappingCommand({ UUID: MAPPING, Enabled: true });
    await expect(client.send(change)).rejects.toMatchObject({ name: "ResourceInUseException" });
    const get = new GetEventSourceMappingCommand({ UUID: MAPPING });
    await eventually(() =>
      expect(client.send(get)).rejects.toMatchObject({ name: "ResourceNotFoundException" }),
    );
    expect(queue.invocations).toMatchObject([{ outcome: "success" }]);
    await queue.send("b");
    expect([await queue.waiting(), await queue.inFlight()]).toEqual([1, 0]);
  });

  it("report failed messages from the next batch on once they are told to", async () => {
    const queue = await mappedQueue(
      functionOf(
        `const [{ body, messageId, attributes }] = event.Records;
         console.log(JSON.stringify(body + "#" + attributes.ApproximateReceiveCount));
         return { batchItemFailures: attributes.ApproximateReceiveCount === "1" ? [{ itemIdentifier: messageId }] : [] };`,
      ),
      { reportBatchItemFailures: false },
    );
    const client = clientOf(queue.lambda);
    await queue.send("a");
    await eventually(async () => expect(await queue.waiting()).toBe(0));
    expect(queue.seen).toEqual(["a#1"]);

    const FunctionResponseTypes = ["ReportBatchItemFailures"] as const;
    const change = new UpdateEventSourceMappingCommand({
      UUID: MAPPING,
      FunctionResponseTypes: [...FunctionResponseTypes],
    });
    expect(await client.send(change)).toMatchObject({ FunctionResponseTypes });
    await queue.send("b");
    await queue.timeOut({ invocations: 2, waiting: 1 });
    await eventually(async () => expect(await queue.waiting()).toBe(0));
    expect(queue.seen).toEqual(["a#1", "b#1", "b#2"]);
  });

  it("carry to another function once they are told to", async () => {
    const queue = await mappedQueue(functionOf('console.log(JSON.stringify("old"));'));
    queue.lambda.createFunction(
      functionOf('console.log(JSON.stringify("new"));', { name: "other", timeoutSeconds: 1 }),
    );
    const client = clientOf(queue.lambda);
    const change = (FunctionName: string) =>
      client.send(new UpdateEventSourceMappingCommand({ UUID: MAPPING, FunctionName }));
    expect((await change("other")).FunctionArn).toBe(`${ARN.slice(0, -"game".length)}other`);
    await queue.send("a");
    await eventually(() => expect(queue.seen).toEqual(["new"]));
    await expect(change("none")).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  });

  it("take another batch size and concurrency, and nothing that this Lambda does not know", async () => {
    const { lambda } = await mappedQueue(functionOf(""));
    const client = clientOf(lambda);
    const update = (changes: object) =>
      client.send(new UpdateEventSourceMappingCommand({ UUID: MAPPING, ...changes }));
    const ScalingConfig = { MaximumConcurrency: 8 };
    expect(await update({ BatchSize: 1, ScalingConfig })).toMatchObject({
      BatchSize: 1,
      ScalingConfig,
      State: "Enabled",
    });
    const refused = { name: "InvalidParameterValueException" };
    await expect(update({ BatchSize: 11 })).rejects.toMatchObject(refused);
    await expect(update({ MaximumBatchingWindowInSeconds: 5 })).rejects.toMatchObject(refused);
    lambda.updateFunction("game", { timeoutSeconds: VISIBILITY_SECONDS + 1 });
    await expect(update({ BatchSize: 2 })).rejects.toThrow(
      "Queue visibility timeout: 60 seconds is less than Function timeout: 61 seconds",
    );
  });
});
