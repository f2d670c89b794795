import { drainBatch } from "../../../lambdas/core/drain/drain-batch.ts";
import type { RecordRef } from "../../../lambdas/core/ledger.ts";
import type { Delivery } from "../../../lambdas/core/record.ts";
import type { Settings } from "../../../lambdas/core/settings.ts";
import { letterDeduplicationId, sqsIdOf } from "../../../lambdas/core/wire/identity.ts";
import { encodeLetter } from "../../../lambdas/core/wire/wire-metadata.ts";
import type { MemoryFifo } from "../memory-fifo.ts";
import type { MemoryLedger } from "../memory-ledger.ts";
import type { VirtualClock } from "../virtual-clock.ts";

type Place = {
  readonly settings: Settings;
  readonly clock: VirtualClock;
  readonly ledger: MemoryLedger;
  readonly source: MemoryFifo;
  readonly letters: MemoryFifo;
  /** Ids given to the game's handler, in order. */
  readonly calls: string[];
  /** Id -> reason: the handler throws for these. */
  readonly failing: ReadonlyMap<string, string>;
};

/** The consumer, whose handler adds each record's id as an effect. */
export function worldConsumer(place: Place) {
  const { settings, clock, ledger, source, letters, calls, failing } = place;
  let invocations = 0;
  const consumerPorts = {
    handle: async ({ id }: { readonly id: string }) => {
      calls.push(id);
      const reason = failing.get(id);
      if (reason !== undefined) throw new Error(reason);
      return { effects: [{ add: id }] };
    },
    ledger,
    deadLetters: {
      async send(
        delivery: Delivery,
        { id, ...facts }: RecordRef & Parameters<typeof encodeLetter>[0],
      ) {
        const { replay: _, ...kept } = delivery.attributes;
        letters.send({
          body: delivery.body,
          attributes: { ...kept, deadLetter: encodeLetter(facts) },
          group: sqsIdOf(id),
          deduplicationId: letterDeduplicationId(id, facts.generation, delivery.messageId),
        });
      },
    },
    source: {
      async setVisibility(deliveries: readonly Delivery[], seconds: number) {
        for (const { receiptHandle } of deliveries) source.show(receiptHandle, seconds * 1000);
      },
    },
    clock,
    report: () => undefined,
    random: () => 0,
    settings,
  } as unknown as Parameters<typeof drainBatch>[2];

  return {
    /** Runs the consumer until the source queue gives nothing more. */
    async consume() {
      for (;;) {
        const visibilityMs = settings.visibilityTimeoutSeconds * 1000;
        const batch = source.receive(visibilityMs);
        if (batch.length === 0) return;
        invocations += 1;
        const deadlineMs = clock.nowMs() + settings.consumerTimeoutSeconds * 1000;
        const invocation = { id: `invocation-${invocations}`, deadlineMs };
        const failed = new Set(await drainBatch(batch, invocation, consumerPorts));
        for (const { messageId, receiptHandle } of batch) {
          if (!failed.has(messageId)) source.remove(receiptHandle);
        }
      }
    },
  };
}
