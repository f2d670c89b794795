import type { LedgerItem, RecordRef } from "../../../lambdas/core/ledger.ts";
import { partitionOf } from "../../../lambdas/core/partition.ts";
import type { MessageAttributes } from "../../../lambdas/core/record.ts";
import type { Settings } from "../../../lambdas/core/settings.ts";
import { letterDeduplicationId, sqsIdOf } from "../../../lambdas/core/wire/identity.ts";
import { encodeKey } from "../../../lambdas/core/wire/wire.ts";
import { encodeLetter, encodeReplay } from "../../../lambdas/core/wire/wire-metadata.ts";
import { KEYS } from "../drain/drain-stage.ts";
import type { MemoryFifo } from "../memory-fifo.ts";
import type { MemoryLedger } from "../memory-ledger.ts";
import type { VirtualClock } from "../virtual-clock.ts";

export const MAX_RECEIVES = 100;

type MadeRecord = {
  readonly key?: string;
  readonly partition?: number;
  readonly enqueuedAtMs?: number;
  readonly body?: string;
  readonly extra?: MessageAttributes;
};

type MadeLetter = MadeRecord & {
  readonly offset?: number | undefined;
  readonly generation?: number;
  readonly reason?: string;
  readonly failedAtMs?: number;
  /** False: the crash came between the send and the mark. */
  readonly listed?: boolean;
};

type Place = {
  readonly settings: Settings;
  readonly clock: VirtualClock;
  readonly ledger: MemoryLedger;
  readonly letters: MemoryFifo;
};

/** What puts letters into the dead-letter queue, and their records into the ledger. */
export function madeLetters({ settings, clock, ledger, letters }: Place) {
  return {
    /** A letter as the consumer writes it. */
    letter(id: string, made: MadeLetter = {}) {
      const record = recordOf(id, made);
      const { generation = 0, reason = "out of stock", listed = true } = made;
      const { failedAtMs = clock.nowMs(), body = `payload of ${id}` } = made;
      const facts = { ...record, generation, attempts: 3, reason, failedAtMs };
      const attributes = {
        ...attributesOf(id, made),
        deadLetter: encodeLetter(facts),
      };
      const messageId = `first-${id}-${generation}`;
      letters.send({
        body,
        attributes,
        group: sqsIdOf(id),
        deduplicationId: letterDeduplicationId(id, generation, messageId),
      });
      if (listed) {
        ledger.items.set(id, {
          ...itemOf(record),
          generation,
          attempts: 3,
          messageId,
          reason,
          failedAtMs,
        });
      }
    },

    /** A letter that SQS moved by itself: in its partition's group, without facts. */
    native(id: string, made: MadeLetter = {}) {
      const { partition, enqueuedAtMs } = recordOf(id, made);
      const generation = made.generation ?? 0;
      const offset = made.offset === undefined ? undefined : sequence(made.offset);
      letters.put({
        messageId: `first-${id}`,
        group: String(partition),
        body: made.body ?? `payload of ${id}`,
        receives: MAX_RECEIVES,
        attributes: {
          ...attributesOf(id, made),
          ...(generation > 0 && {
            replay: encodeReplay({ generation, offset, enqueuedAtMs, runId: "earlier" }),
          }),
        },
      });
    },
  };

  function recordOf(id: string, made: MadeLetter): RecordRef {
    const key = made.key ?? KEYS[made.partition ?? 5] ?? "";
    return {
      id,
      key,
      partition: partitionOf(key, settings.partitions),
      offset:
        "offset" in made && made.offset === undefined ? undefined : sequence(made.offset ?? 1),
      enqueuedAtMs: made.enqueuedAtMs ?? clock.nowMs() - 1000,
      generation: made.generation ?? 0,
    };
  }

  function attributesOf(id: string, made: MadeLetter): MessageAttributes {
    const { key, enqueuedAtMs } = recordOf(id, made);
    return {
      id: { dataType: "String", stringValue: id },
      enqueuedAt: { dataType: "Number", stringValue: String(enqueuedAtMs) },
      ...encodeKey(key),
      ...made.extra,
    };
  }
}

/** An offset as SQS writes it. */
export function sequence(offset: number): string {
  return String(18_860_000_000_000_000_000n + BigInt(offset));
}

function itemOf(record: RecordRef): LedgerItem {
  return {
    ...record,
    attempts: 0,
    attemptId: undefined,
    state: "dead",
    messageId: undefined,
    reason: undefined,
    failedAtMs: undefined,
  };
}
