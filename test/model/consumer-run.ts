import type { DeadLetters } from "../../lambdas/core/dead-letters.ts";
import { drainBatch } from "../../lambdas/core/drain/drain-batch.ts";
import type { Applied, Ledger } from "../../lambdas/core/ledger.ts";
import type { Delivery } from "../../lambdas/core/record.ts";
import { letterDeduplicationId, sqsIdOf } from "../../lambdas/core/wire/identity.ts";
import { letterAttributes } from "../../lambdas/core/wire/letter-attributes.ts";
import type { TestEffect } from "../core/memory-ledger.ts";
import { idIn } from "./fifo-queue.ts";
import { handlerOf } from "./handler-model.ts";
import type { InvocationWitness } from "./invocation-witness.ts";
import type { ProcessModel } from "./process-model.ts";
import type { World } from "./world.ts";

/** One invocation of the consumer's real code, from its start to the deletes of what it did. */
export async function runConsumer(world: World, batch: readonly Delivery[]): Promise<void> {
  const process = world.process("invocation");
  const { clock, settings } = world;
  const limitMs = settings.consumerTimeoutSeconds * 1000;
  const stopTimer = clock.after(limitMs, () => process.kill());
  const invocation = { id: process.name, deadlineMs: clock.nowMs() + limitMs };
  const witness = world.witness.invoked(process, batch);
  world.tell(`${process.name} gets`, batch.map(shown).join(" "));
  const ports = {
    handle: handlerOf(world, process, witness),
    ledger: ledgerOf(world, process),
    deadLetters: deadLettersOf(world, process, witness),
    source: {
      setVisibility: (deliveries: readonly Delivery[], seconds: number) =>
        process.call("setVisibility", idOf(deliveries), () => {
          // From the last to the first, as the real port does.
          for (const { receiptHandle } of deliveries.toReversed()) {
            world.source.show(receiptHandle, seconds * 1000);
          }
        }),
    },
    clock,
    report: () => undefined,
    random: world.random,
    settings,
  };
  const draining = drainBatch(batch, invocation, ports).catch((error: unknown) => String(error));
  const answer = await Promise.race([draining, process.died]);
  stopTimer();
  if (typeof answer === "string") {
    world.tell(`${process.name} ends`, answer);
    return;
  }
  world.witness.broken.push(
    ...witness.answered((id) => {
      const item = world.ledger.items.get(id);
      return item?.state !== "retrying" || !item.attemptId?.startsWith(`${process.name}:`);
    }),
  );
  world.tell(`${process.name} answers`, `failed: ${answer.join(" ") || "none"}`);
  // A lost answer is a function error: nothing is deleted.
  if (world.fate("answer", idOf(batch)) === undefined) acknowledge(world, batch, answer);
}

function acknowledge(world: World, batch: readonly Delivery[], failed: readonly string[]): void {
  world.clock.after(world.random() * 50, () => {
    for (const delivery of batch) {
      if (failed.includes(delivery.messageId)) continue;
      if (world.fate("delete", idIn(delivery)) === undefined) {
        world.removed(world.source.remove(delivery.receiptHandle));
      } else world.tell("the delete is lost of", shown(delivery));
    }
  });
}

function ledgerOf(world: World, process: ProcessModel): Ledger<TestEffect> {
  const { ledger } = world;
  return {
    standings: (records) =>
      process.call("standings", records[0]?.id ?? "", () => ledger.standings(records)),
    count: (record, ...rest) =>
      process.call("count", record.id, () => ledger.count(record, ...rest)),
    uncount: (record, attemptId) =>
      process.call("uncount", record.id, () => ledger.uncount(record, attemptId)),
    noteFailure: (record, failure) =>
      process.call("noteFailure", record.id, () => ledger.noteFailure(record, failure)),
    markDead: (record, death) =>
      process.call("markDead", record.id, () => ledger.markDead(record, death)),
    markApplied: (record, options) =>
      process.call("markApplied", record.id, () => ledger.markApplied(record, options)),
    addEntry: (partition, records) =>
      process.call("addEntry", records[0]?.id ?? "", () => ledger.addEntry(partition, records)),
    applyWithEffects: (record, effects) => {
      let answered: Promise<Applied> | undefined;
      // The SDK's token makes a repeated request answer as the first did.
      return process.call("applyWithEffects", record.id, () => {
        answered ??= ledger.applyWithEffects(record, effects).then((applied) => {
          if (applied.kind === "applied") world.apply(record.id);
          return applied;
        });
        return answered;
      });
    },
  };
}

function deadLettersOf(
  world: World,
  process: ProcessModel,
  witness: InvocationWitness,
): DeadLetters {
  return {
    send: (delivery, facts) =>
      process.call("sendLetter", facts.id, () => {
        const { id, ...mark } = facts;
        world.witness.buried(witness, delivery, facts);
        const messageId = world.letters.send({
          body: delivery.body,
          attributes: letterAttributes(delivery, mark),
          group: sqsIdOf(id),
          deduplicationId: letterDeduplicationId(id, facts.generation, delivery.messageId),
        });
        world.tell(`${process.name} sends letter ${messageId} of`, `${id}: ${facts.reason}`);
      }),
  };
}

function idOf([first]: readonly Delivery[]): string {
  return first === undefined ? "" : idIn(first);
}

function shown(delivery: Delivery): string {
  return `${idIn(delivery)}(${delivery.messageId}, receive ${delivery.receives})`;
}
