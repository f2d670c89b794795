import { GAME_ATTRIBUTES } from "../limits.ts";
import type { MessageAttribute, MessageAttributes } from "../record.ts";
import { isSqsText } from "./identity.ts";
import { isReserved } from "./wire.ts";

/** Letters, digits, `_`, `-` and inner single dots, up to 256 characters.
 *  https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_MessageAttributeValue.html */
const NAME = /^(?=.{1,256}$)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
/** Legal for SQS, but the SDK for JavaScript receives it without its value, so a replay would too. */
const UNREADABLE_NAME = "__proto__";
const AWS_NAME = /^(aws|amazon)\./i;
const DATA_TYPE = /^(?=.{1,256}$)(String|Number|Binary)(\.[A-Za-z0-9_.-]+)?$/;
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** What keeps a game's own message attributes from being published; empty where nothing does. */
export function attributeFaults(attributes: MessageAttributes): string[] {
  const entries = Object.entries(attributes);
  const faults = entries.flatMap(([name, attribute]) => {
    const fault = nameFault(name) ?? valueFault(attribute);
    return fault === undefined ? [] : [`attribute ${JSON.stringify(name)}: ${fault}`];
  });
  if (entries.length > GAME_ATTRIBUTES) {
    faults.push(
      `expected at most ${GAME_ATTRIBUTES} attributes (SQS allows 10, the wire format keeps 5), got ${entries.length}`,
    );
  }
  return faults;
}

function nameFault(name: string): string | undefined {
  if (isReserved(name)) return "the name is reserved for the wire format; choose another";
  if (name === UNREADABLE_NAME)
    return "the AWS SDK loses its value on receive; choose another name";
  if (NAME.test(name) && !AWS_NAME.test(name)) return undefined;
  return "SQS refuses the name; use 1 to 256 letters, digits, `_`, `-` and inner dots, not starting with `AWS.` or `Amazon.`";
}

function valueFault({ dataType, stringValue, binaryValue }: MessageAttribute): string | undefined {
  const type = DATA_TYPE.exec(dataType)?.[1];
  if (type === undefined) {
    return `expected \`dataType\` to be String, Number or Binary with or without a suffix, got \`${dataType}\``;
  }
  if (type === "Binary") return binaryFault(stringValue, binaryValue);
  if (stringValue === undefined || binaryValue !== undefined) {
    return `expected \`stringValue\` alone for the type ${dataType}`;
  }
  if (stringValue === "") return "SQS refuses an empty value; leave the attribute out";
  if (!isSqsText(stringValue)) {
    return "the value has characters that SQS refuses; use the type Binary";
  }
  return type === "Number" && !NUMBER.test(stringValue)
    ? `expected a decimal number, got ${JSON.stringify(stringValue)}`
    : undefined;
}

function binaryFault(
  stringValue: string | undefined,
  binaryValue: Uint8Array | undefined,
): string | undefined {
  if (binaryValue === undefined || stringValue !== undefined) {
    return "expected `binaryValue` alone for the type Binary";
  }
  return binaryValue.length === 0
    ? "SQS refuses an empty value; leave the attribute out"
    : undefined;
}
