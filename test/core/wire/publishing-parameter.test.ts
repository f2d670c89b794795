import { describe, expect, it } from "vitest";
import { readPublishingParameter } from "../../../lambdas/core/wire/publishing-parameter.ts";

const PARAMETER = {
  wire: 1,
  queueUrl: "https://sqs.us-east-1.amazonaws.com/123456789012/source.fifo",
  partitions: 64,
  hash: "fnv1a-32",
};

describe("the parameter that publishers read", () => {
  it("names the queue and the partition count, whatever else later versions add", () => {
    expect(readPublishingParameter(JSON.stringify({ ...PARAMETER, more: 1 }))).toEqual({
      queueUrl: PARAMETER.queueUrl,
      partitions: 64,
    });
  });

  it.each([
    { given: { wire: 2 }, says: "`wire` to be 1, got 2" },
    { given: { hash: "murmur3" }, says: '`hash` to be "fnv1a-32", got "murmur3"' },
    { given: { hash: undefined }, says: "`hash`, got none" },
    { given: { partitions: 0 }, says: "`partitions` to be >=1, got 0" },
    { given: { partitions: "64" }, says: '`partitions` to be number, got "64"' },
    { given: { queueUrl: "" }, says: "`queueUrl` to be the URL of a FIFO queue" },
    {
      given: { queueUrl: "https://sqs.us-east-1.amazonaws.com/123456789012/source" },
      says: "FIFO",
    },
  ])("is refused with $given", ({ given, says }) => {
    const json = JSON.stringify({ ...PARAMETER, ...given });
    expect(() => readPublishingParameter(json)).toThrow(RangeError);
    expect(() => readPublishingParameter(json)).toThrow(says);
  });

  it("is refused where it is no JSON", () => {
    expect(() => readPublishingParameter("none")).toThrow(
      '`the parameter` to be Object, got "none"',
    );
  });
});
