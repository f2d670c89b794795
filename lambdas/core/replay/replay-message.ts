import { replayDeduplicationId } from "../wire/identity.ts";
import { WIRE } from "../wire/wire.ts";
import { encodeReplay } from "../wire/wire-metadata.ts";
import type { Letter } from "./replay-letter.ts";
import type { OutgoingMessage } from "./replay-ports.ts";

/**
 * The message that sends a letter's record back: body and attributes as they were, `replay` in the
 * place of the letter's facts. The de-duplication id is one per record and generation, so that a
 * send which is repeated after a lost answer arrives once.
 */
export function replayMessage(
  { delivery, record }: Letter,
  generation: number,
  runId: string,
): OutgoingMessage {
  const { [WIRE.deadLetter]: _, ...kept } = delivery.attributes;
  const { id, partition, offset, enqueuedAtMs } = record;
  return {
    body: delivery.body,
    attributes: {
      ...kept,
      [WIRE.replay]: encodeReplay({ generation, offset, enqueuedAtMs, runId }),
    },
    group: String(partition),
    deduplicationId: replayDeduplicationId(id, generation),
  };
}
