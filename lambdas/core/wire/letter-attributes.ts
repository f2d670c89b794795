import { SQS_LIMITS } from "../limits.ts";
import type { MessageAttributes } from "../record.ts";
import { messageBytes } from "./message-size.ts";
import { WIRE } from "./wire.ts";
import { encodeLetter, type LetterMark } from "./wire-metadata.ts";

/**
 * A message's own attributes with the facts of its death, in place of a replay's mark. Where that
 * does not fit SQS's bounds of size or number, the attributes are unchanged: the facts are then in
 * the ledger alone.
 */
export function letterAttributes(
  message: { readonly body: string; readonly attributes: MessageAttributes },
  mark: LetterMark,
): MessageAttributes {
  const { [WIRE.replay]: _, ...kept } = message.attributes;
  const marked = { ...kept, [WIRE.deadLetter]: encodeLetter(mark) };
  const fits =
    Object.keys(marked).length <= SQS_LIMITS.messageAttributes &&
    messageBytes(message.body, marked) <= SQS_LIMITS.messageBytes;
  return fits ? marked : message.attributes;
}
