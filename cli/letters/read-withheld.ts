import { listWithheld } from "../../lambdas/aws/ledger/letter-withheld.ts";
import { letterSinceMs } from "../../lambdas/core/ledger.ts";
import type { Withheld } from "../../lambdas/core/letters/withheld.ts";
import type { BacklogLocation } from "../backlog-location.ts";
import { ledgerAt, type Session } from "../session.ts";
import { isExpired } from "./letter.ts";
import { readRetentionMs } from "./read-letters.ts";

/** A letter that no replay takes, and its end. */
export type WithheldLetter = Withheld & {
  /** When SQS deletes it for good, or deleted it. */
  readonly expiresAtMs: number | undefined;
  /** Whether SQS has surely deleted it: nothing brings it back. */
  readonly expired: boolean;
};

/** Oldest mark first. @throws where SQS or DynamoDB fails. */
export async function readWithheld(
  session: Session,
  location: BacklogLocation,
): Promise<readonly WithheldLetter[]> {
  const [withheld, retentionMs] = await Promise.all([
    listWithheld(ledgerAt(session, location)),
    readRetentionMs(session.clients.sqs, location.letterQueueUrl),
  ]);
  return withheld.map((letter) => {
    const sinceMs = letterSinceMs(letter);
    const expiresAtMs = sinceMs === undefined ? undefined : sinceMs + retentionMs;
    return { ...letter, expiresAtMs, expired: isExpired({ expiresAtMs }, session.nowMs) };
  });
}
