import {
  GetParameterCommand,
  GetParametersByPathCommand,
  ParameterNotFound,
  SSMClient,
} from "@aws-sdk/client-ssm";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { locateBacklog } from "../../cli/backlog-location.ts";
import { locatePublishing } from "../../cli/publish/publishing-location.ts";
import { OPERATIONS, PUBLISHING, setParameters } from "./parameters.ts";

const mock = mockClient(SSMClient);
const ssm = new SSMClient({ region: "eu-west-1" });

beforeEach(() => mock.reset());

function parameters(values: Readonly<Record<string, unknown>>) {
  setParameters(mock, values);
}

/** Names of all parameters that were asked for, one by one. */
function asked() {
  return mock.commandCalls(GetParameterCommand).map(({ firstArg }) => firstArg.input.Name);
}

const denied = Object.assign(new Error("no"), { name: "AccessDeniedException" });

describe("locating a backlog", () => {
  it("takes everything from its operators' parameter, and asks for no other", async () => {
    parameters({ "/backlogorder/grants/operations": { ...OPERATIONS, aLaterField: 1 } });
    expect(await locateBacklog(ssm, "grants")).toEqual({
      ...OPERATIONS,
      name: "grants",
      region: "eu-west-1",
    });
    expect(asked()).toEqual(["/backlogorder/grants/operations"]);
  });

  it("goes on where publishers were sent to a later generation", async () => {
    const later = { ...PUBLISHING, queueUrl: "https://queue/of-g2.fifo", partitions: 128 };
    parameters({
      "/backlogorder/grants": later,
      "/backlogorder/grants/operations": OPERATIONS,
    });
    expect(await locateBacklog(ssm, "grants")).toMatchObject({
      sourceUrl: OPERATIONS.sourceUrl,
      partitions: 64,
    });
    expect(await locatePublishing(ssm, "grants")).toEqual({
      queueUrl: "https://queue/of-g2.fifo",
      partitions: 128,
      name: "grants",
      region: "eu-west-1",
    });
  });

  it("names the backlogs that exist where there is none of that name", async () => {
    parameters({
      "/backlogorder/matches": PUBLISHING,
      "/backlogorder/matches/operations": OPERATIONS,
      "/backlogorder/grants": PUBLISHING,
    });
    await expect(locateBacklog(ssm, "grnats")).rejects.toMatchObject({
      code: "no-such-backlog",
      message: "There is no backlog `grnats` in eu-west-1, only `grants`, `matches`",
      remedy: expect.stringContaining("AWS_REGION"),
    });
  });

  it("points to the region and the account where there is no backlog at all", async () => {
    parameters({});
    await expect(locateBacklog(ssm, "grants")).rejects.toMatchObject({
      message: "There is no backlog `grants` in eu-west-1, nor any other",
      remedy: expect.stringContaining("AWS_PROFILE"),
    });
  });

  it("still says that there is none where it may not list the others", async () => {
    parameters({});
    mock.on(GetParametersByPathCommand).rejects(denied);
    await expect(locateBacklog(ssm, "grants")).rejects.toMatchObject({
      message: "There is no backlog `grants` in eu-west-1",
    });
  });

  it("tells a wrong name from a right one of which it is denied the parameter", async () => {
    parameters({ "/backlogorder/grants": PUBLISHING });
    mock.on(GetParameterCommand).rejects(denied);
    await expect(locateBacklog(ssm, "grnats")).rejects.toMatchObject({
      code: "no-such-backlog",
      message: "There is no backlog `grnats` in eu-west-1, only `grants`",
    });
    await expect(locateBacklog(ssm, "grants")).rejects.toBe(denied);
    mock.on(GetParametersByPathCommand).rejects(denied);
    await expect(locateBacklog(ssm, "grnats")).rejects.toBe(denied);
  });

  it("refuses a name that no backlog can have before it asks AWS", async () => {
    await expect(locateBacklog(ssm, "a/b")).rejects.toMatchObject({ code: "bad-name" });
    await expect(locatePublishing(ssm, "a/b")).rejects.toMatchObject({ code: "bad-name" });
    expect(mock.calls()).toHaveLength(0);
  });

  it.each([
    {
      why: "it is missing, though publishers have theirs",
      set: () => parameters({ "/backlogorder/grants": PUBLISHING }),
      code: "no-such-parameter",
      message: /`\/backlogorder\/grants\/operations` is missing/,
    },
    {
      why: "a field is missing",
      set: () =>
        parameters({
          "/backlogorder/grants/operations": { ...OPERATIONS, ledgerTable: undefined },
        }),
      code: "bad-parameter",
      message: /ledgerTable/,
    },
  ])("does not follow a parameter of which $why", async ({ set, code, message }) => {
    set();
    await expect(locateBacklog(ssm, "grants")).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
});

describe("locating where to publish", () => {
  it("takes everything from the publishers' parameter, and asks for no other", async () => {
    parameters({ "/backlogorder/grants": PUBLISHING });
    expect(await locatePublishing(ssm, "grants")).toEqual({
      queueUrl: PUBLISHING.queueUrl,
      partitions: 64,
      name: "grants",
      region: "eu-west-1",
    });
    expect(mock.calls()).toHaveLength(1);
    expect(asked()).toEqual(["/backlogorder/grants"]);
  });

  it("says which of the two is missing", async () => {
    parameters({ "/backlogorder/grants/operations": OPERATIONS });
    await expect(locatePublishing(ssm, "grants")).rejects.toMatchObject({
      code: "no-such-parameter",
      message: expect.stringContaining("`/backlogorder/grants` is missing"),
    });
  });

  it("does not follow another format, and sends nobody to deploy: it may be a later generation's", async () => {
    parameters({ "/backlogorder/grants": { ...PUBLISHING, wire: 2 } });
    await expect(locatePublishing(ssm, "grants")).rejects.toMatchObject({
      code: "bad-parameter",
      message: expect.stringContaining("`wire`"),
      remedy: expect.not.stringMatching(/deploy the stack/),
    });
  });

  it("passes on what is no fault of the parameter", async () => {
    mock.on(GetParameterCommand).rejects(new ParameterNotFound({ message: "", $metadata: {} }));
    mock.on(GetParametersByPathCommand).rejects(new Error("broken"));
    await expect(locatePublishing(ssm, "grants")).rejects.toThrow("broken");
  });
});
