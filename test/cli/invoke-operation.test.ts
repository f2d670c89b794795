import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { CommandError } from "../../cli/command-error.ts";
import { invokeOperation } from "../../cli/invoke-operation.ts";

const lambda = mockClient(LambdaClient);

beforeEach(() => {
  lambda.reset();
});

async function remedyOf(operation: string): Promise<string> {
  const asked = { name: "grants", functionName: "f" };
  const error = await invokeOperation(new LambdaClient({}), asked, { operation }).catch(
    (thrown: unknown) => thrown,
  );
  if (error instanceof CommandError) return error.remedy;
  throw new Error("Expected a CommandError", { cause: error });
}

const fails = (errorType: string) =>
  lambda.on(InvokeCommand).resolves({
    FunctionError: "Unhandled",
    Payload: Buffer.from(JSON.stringify({ errorType, errorMessage: "no" })) as never,
  });

const ENDINGS = [
  {
    how: "its answer is lost",
    end: () =>
      lambda.on(InvokeCommand).rejects(Object.assign(new Error("hung up"), { code: "ECONNRESET" })),
  },
  { how: "its function failed", end: () => fails("Runtime.ExitError") },
];

describe.each(ENDINGS)("where $how, the remedy names the backlog and who knows:", ({ end }) => {
  it.each([
    { operation: "replay", knows: "npx backlogorder replay status grants" },
    { operation: "cancel", knows: "npx backlogorder replay status grants" },
    { operation: "discard", knows: "npx backlogorder acts list grants" },
    { operation: "edit", knows: "npx backlogorder acts list grants" },
    { operation: "pause", knows: "npx backlogorder acts list grants" },
  ])("of $operation `$knows`", async ({ operation, knows }) => {
    end();
    expect(await remedyOf(operation)).toContain(`\`${knows}\``);
  });

  it("of a plan nobody, for it changes nothing", async () => {
    end();
    expect(await remedyOf("plan")).not.toContain("npx");
    expect(await remedyOf("plan")).toContain("repeat the command");
  });
});

it("where another run has the lease, the commands that wait for it and end it name the backlog", async () => {
  fails("ReplayHeldError");
  const remedy = await remedyOf("replay");
  expect(remedy).toContain("`npx backlogorder replay status grants`");
  expect(remedy).toContain("`npx backlogorder replay cancel grants`");
});
