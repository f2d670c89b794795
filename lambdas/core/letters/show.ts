import type { Performed } from "../acts/act.ts";
import type { ActRun } from "../acts/record-act.ts";
import { gameAttributes } from "../wire/wire.ts";
import { findLetter, firstOf } from "./find-letter.ts";
import { underLease } from "./letter-lease.ts";
import { digestOf, payloadOf } from "./letter-payload.ts";
import type { LetterPorts } from "./letter-ports.ts";

export type ShownLetter = {
  readonly runId: string;
  readonly id: string;
  /** Null where it is bytes, or cannot be read. */
  readonly payload: string | null;
  readonly payloadBase64: string | null;
  /** The body as SQS has it, where it cannot be read. */
  readonly body: string | null;
  /** SHA-256 in hex of the payload. */
  readonly digest: string;
  /** The game's own message attributes, bytes in base64. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly sentAtMs: number;
  /** Letters of this record in the queue. */
  readonly copies: number;
};

/**
 * Shows one letter with its payload. On record as an act: payloads hold what players did.
 * @throws LetterRefusedError where there is none, ReplayHeldError where a replay runs.
 */
export function showLetter(
  { id, requestedBy }: { readonly id: string; readonly requestedBy: string | undefined },
  run: ActRun,
  ports: LetterPorts,
): Promise<Performed<ShownLetter>> {
  return underLease(requestedBy, run, ports, () =>
    findLetter(id, run, ports, async (found) => {
      const { delivery, reason } = firstOf(id, found);
      const payload = payloadOf(delivery);
      const answer = {
        runId: run.runId,
        id,
        payload: typeof payload === "string" ? payload : null,
        payloadBase64: payload instanceof Uint8Array ? base64(payload) : null,
        body: payload === undefined ? delivery.body : null,
        digest: digestOf(delivery),
        attributes: Object.fromEntries(
          Object.entries(gameAttributes(delivery.attributes)).map(([name, attribute]) => [
            name,
            attribute.stringValue ?? base64(attribute.binaryValue ?? new Uint8Array()),
          ]),
        ),
        sentAtMs: delivery.sentAtMs,
        copies: found.copies.length,
      };
      return {
        answer,
        state: "done",
        counts: { shown: 1 },
        letters: [{ id, outcome: "shown", oldReason: reason }],
      };
    }),
  );
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
