import { GetParametersByPathCommand, GetParametersCommand, SSMClient } from "@aws-sdk/client-ssm";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { locateBacklog } from "../../cli/backlog-location.ts";
import { OPERATIONS, PUBLISHING } from "./parameters.ts";

const mock = mockClient(SSMClient);
const ssm = new SSMClient({ region: "eu-west-1" });

beforeEach(() => mock.reset());

function parameters(values: Readonly<Record<string, unknown>>) {
  mock.on(GetParametersCommand).resolves({
    Parameters: Object.entries(values).map(([Name, value]) => ({
      Name,
      Value: JSON.stringify(value),
    })),
  });
}

function both(publishing: object, operations: object) {
  parameters({
    "/backlogorder/grants": publishing,
    "/backlogorder/grants/operations": operations,
  });
}

describe("locating a backlog", () => {
  it("takes everything from its two parameters", async () => {
    both(PUBLISHING, { ...OPERATIONS, aLaterField: 1 });
    expect(await locateBacklog(ssm, "grants")).toEqual({
      ...OPERATIONS,
      name: "grants",
      region: "eu-west-1",
    });
  });

  it("names the backlogs that exist where there is none of that name", async () => {
    parameters({});
    mock.on(GetParametersByPathCommand).resolves({
      Parameters: [{ Name: "/backlogorder/matches" }, { Name: "/backlogorder/grants" }],
    });
    await expect(locateBacklog(ssm, "grnats")).rejects.toMatchObject({
      code: "no-such-backlog",
      message: "There is no backlog `grnats` in eu-west-1, only `grants`, `matches`",
      remedy: expect.stringContaining("AWS_REGION"),
    });
  });

  it("points to the region and the account where there is no backlog at all", async () => {
    parameters({});
    mock.on(GetParametersByPathCommand).resolves({ Parameters: [] });
    await expect(locateBacklog(ssm, "grants")).rejects.toMatchObject({
      message: "There is no backlog `grants` in eu-west-1, nor any other",
      remedy: expect.stringContaining("AWS_PROFILE"),
    });
  });

  it("still says that there is none where it may not list the others", async () => {
    parameters({});
    mock
      .on(GetParametersByPathCommand)
      .rejects(Object.assign(new Error("no"), { name: "AccessDeniedException" }));
    await expect(locateBacklog(ssm, "grants")).rejects.toMatchObject({
      message: "There is no backlog `grants` in eu-west-1",
    });
  });

  it("refuses a name that no backlog can have before it asks AWS", async () => {
    await expect(locateBacklog(ssm, "a/b")).rejects.toMatchObject({ code: "bad-name" });
    expect(mock.calls()).toHaveLength(0);
  });

  it.each([
    {
      why: "one is missing",
      set: () => parameters({ "/backlogorder/grants": PUBLISHING }),
      code: "no-such-parameter",
      message: /grants\/operations/,
    },
    {
      why: "a field is missing",
      set: () => both(PUBLISHING, { ...OPERATIONS, ledgerTable: undefined }),
      code: "bad-parameter",
      message: /ledgerTable/,
    },
    {
      why: "they disagree on the partition count",
      set: () => both({ ...PUBLISHING, partitions: 32 }, OPERATIONS),
      code: "bad-parameter",
      message: /one partition count/,
    },
    {
      why: "publishers speak another format",
      set: () => both({ ...PUBLISHING, wire: 2 }, OPERATIONS),
      code: "bad-parameter",
      message: /wire/,
    },
  ])("does not follow parameters of which $why", async ({ set, code, message }) => {
    set();
    await expect(locateBacklog(ssm, "grants")).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
});
