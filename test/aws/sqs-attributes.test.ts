import { expect, it } from "vitest";
import { fromSdkAttributes, toSdkAttributes } from "../../lambdas/aws/sqs-attributes.ts";
import type { MessageAttributes } from "../../lambdas/core/record.ts";

const ATTRIBUTES: MessageAttributes = Object.fromEntries([
  ["text", { dataType: "String.json", stringValue: "{}" }],
  ["number", { dataType: "Number", stringValue: "9007199254740993" }],
  ["bytes", { dataType: "Binary", binaryValue: Uint8Array.of(0, 255) }],
  ["constructor", { dataType: "String", stringValue: "kept" }],
]);

it("gives attributes to the SDK and takes them back unchanged", () => {
  const sdk = toSdkAttributes(ATTRIBUTES);
  expect(sdk["bytes"]).toEqual({ DataType: "Binary", BinaryValue: Uint8Array.of(0, 255) });
  expect(Object.entries(fromSdkAttributes(sdk))).toEqual(Object.entries(ATTRIBUTES));
});

it("takes a message without attributes for one with none", () => {
  expect(fromSdkAttributes(undefined)).toEqual({});
});

it("leaves out an attribute whose value the SDK lost", () => {
  expect(fromSdkAttributes(Object.fromEntries([["__proto__", undefined]]))).toEqual({});
});
