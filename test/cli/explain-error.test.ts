import { describe, expect, it } from "vitest";
import { CommandError } from "../../cli/command-error.ts";
import { explainError } from "../../cli/explain-error.ts";

function errorOf(name: string, message: string, fields: object = {}) {
  return Object.assign(new Error(message), { name }, fields);
}

describe("explainError", () => {
  it.each([
    {
      error: errorOf("CredentialsProviderError", "Could not load credentials from any providers"),
      code: "no-credentials",
      remedy: /AWS_PROFILE/,
    },
    {
      error: errorOf("CredentialsProviderError", "Token is expired. To refresh this SSO session"),
      code: "expired-credentials",
      remedy: /sso login/,
    },
    {
      error: errorOf("ExpiredTokenException", "expired"),
      code: "expired-credentials",
      remedy: /sign in/,
    },
    { error: errorOf("Error", "Region is missing"), code: "no-region", remedy: /AWS_REGION/ },
    {
      error: errorOf("UnrecognizedClientException", "The security token is invalid"),
      code: "wrong-credentials",
      remedy: /get-caller-identity/,
    },
    {
      error: errorOf("AccessDeniedException", "is not authorized to perform: dynamodb:Scan"),
      code: "access-denied",
      remedy: /`dynamodb:Scan`.*ViewerPolicyArn/,
    },
    {
      error: errorOf(
        "AccessDeniedException",
        "User: arn:aws:iam::1:user/ann is not authorized to perform: lambda:InvokeFunction on resource: arn:aws:lambda:us-east-1:1:function:Backlogorder-grants-BacklogReplay1A because no identity-based policy allows it",
      ),
      code: "access-denied",
      remedy: /`lambda:InvokeFunction`.*operators.*OperatorPolicyArn/,
    },
    {
      error: errorOf(
        "AccessDeniedException",
        "User: arn:aws:iam::1:user/ann is not authorized to perform: lambda:InvokeFunction on resource: arn:aws:lambda:us-east-1:1:function:Backlogorder-grants-BacklogPayload1A because no identity-based policy allows it",
      ),
      code: "access-denied",
      remedy: /`lambda:InvokeFunction`.*administrators.*AdminPolicyArn/,
    },
    {
      error: errorOf(
        "AccessDeniedException",
        "User: arn:aws:iam::1:user/ann is not authorized to perform: ssm:GetParameter on resource: arn:aws:ssm:us-east-1:1:parameter/backlogorder/grants because no identity-based policy allows the ssm:GetParameter action",
      ),
      code: "access-denied",
      remedy: /`ssm:GetParameter`.*publishers.*PublisherPolicyArn/,
    },
    {
      error: errorOf(
        "AccessDeniedException",
        "User: arn:aws:iam::1:user/ann is not authorized to perform: ssm:GetParameter on resource: arn:aws:ssm:us-east-1:1:parameter/backlogorder/grants/operations because no identity-based policy allows the ssm:GetParameter action",
      ),
      code: "access-denied",
      remedy: /`ssm:GetParameter`.*viewers.*ViewerPolicyArn/,
    },
    {
      error: errorOf("AccessDenied", "Access to the resource is denied."),
      code: "access-denied",
      remedy: /ViewerPolicyArn, OperatorPolicyArn or AdminPolicyArn/,
    },
    {
      error: errorOf("ResourceNotFoundException", "Cannot do operations on a non-existent table"),
      code: "table-missing",
      remedy: /deploy/,
    },
    {
      error: errorOf(
        "ResourceNotFoundException",
        "Function not found: arn:aws:lambda:eu-west-1:1:x",
      ),
      code: "function-missing",
      remedy: /deploy/,
    },
    {
      error: errorOf("ResourceNotFoundException", "The resource you requested does not exist."),
      code: "function-missing",
      remedy: /mapping/,
    },
    {
      error: errorOf("UnrecognizedClientException", "The security token in the request is expired"),
      code: "expired-credentials",
      remedy: /sign in/,
    },
    {
      error: errorOf("TooManyRequestsException", "Rate Exceeded.", { $fault: "client" }),
      code: "throttled",
      remedy: /wait/,
    },
    {
      error: errorOf("Error", "getaddrinfo ENOTFOUND ssm.eu-wst-1.amazonaws.com", {
        code: "ENOTFOUND",
      }),
      code: "unreachable",
      remedy: /AWS_REGION/,
    },
    { error: errorOf("QueueDoesNotExist", "no queue"), code: "queue-missing", remedy: /deploy/ },
    { error: errorOf("ThrottlingException", "Rate exceeded"), code: "throttled", remedy: /wait/ },
    {
      error: errorOf("Error", "connect ECONNREFUSED", { code: "ECONNREFUSED" }),
      code: "unreachable",
      remedy: /AWS_ENDPOINT_URL/,
    },
    {
      error: errorOf("SomethingNew", "odd\n  answer", { $metadata: {} }),
      code: "aws",
      remedy: /ask again/,
    },
  ])("explains $error.name as $code", ({ error, code, remedy }) => {
    expect(explainError(error)).toMatchObject({ code, remedy: expect.stringMatching(remedy) });
    expect(explainError(error)?.message).not.toMatch(/\n/);
  });

  it("passes on what the command itself says", () => {
    const own = { code: "bad-name", message: "Expected a name", remedy: "give one" };
    expect(explainError(new CommandError(own))).toEqual(own);
  });

  it("explains no defect of the command's own", () => {
    expect(explainError(new TypeError("x is not a function"))).toBeUndefined();
    expect(explainError("text")).toBeUndefined();
  });
});
