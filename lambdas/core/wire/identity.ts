import { createHash } from "node:crypto";
import { RECORD_ID_CHARACTERS, SQS_LIMITS } from "../limits.ts";

/** What SQS takes as a MessageGroupId or MessageDeduplicationId: alphanumerics and punctuation.
 *  https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const SQS_ID = new RegExp(`^[\\x21-\\x7e]{1,${SQS_LIMITS.idCharacters}}$`);

/** Whether a text can be a record's id: 1 to 256 characters, all of which SQS can carry in a
 *  message attribute. */
export function isRecordId(id: unknown): id is string {
  return (
    typeof id === "string" && id.length >= 1 && id.length <= RECORD_ID_CHARACTERS && isSqsText(id)
  );
}

/** Whether SQS accepts a text as a body or a string attribute: it refuses most control characters,
 *  U+FFFE, U+FFFF and lone surrogates. */
export function isSqsText(text: string): boolean {
  return PLAIN_TEXT.test(text) || !NOT_SQS_TEXT.test(text);
}

/** Nearly every id, key and JSON payload, in a fraction of the time that code points take. */
const PLAIN_TEXT = /^[\x20-\x7e]*$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that SQS allows are listed.
const NOT_SQS_TEXT = /[^\u0009\u000a\u000d\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** The same text with every character that SQS refuses replaced by U+FFFD. */
export function toSqsText(text: string): string {
  return text.replace(new RegExp(NOT_SQS_TEXT, "gu"), "\ufffd");
}

/** The id itself where SQS takes it as an id of its own, else its SHA-256 in hex. */
export function sqsIdOf(id: string): string {
  return SQS_ID.test(id) ? id : sha256(id);
}

/** De-duplication id of a replayed record: one per record and generation, so that a replay that is
 *  sent twice within SQS's five minutes arrives once. */
export function replayDeduplicationId(id: string, generation: number): string {
  return sha256(JSON.stringify(["replay", id, generation]));
}

/** De-duplication id of a dead letter: the same record may die again, as another message. */
export function letterDeduplicationId(id: string, generation: number, messageId: string): string {
  return sha256(JSON.stringify(["letter", id, generation, messageId]));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
