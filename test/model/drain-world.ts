import type { LetterFacts } from "../../lambdas/core/dead-letter.ts";
import { drainBatch } from "../../lambdas/core/drain/drain-batch.ts";
import { type Handler, PoisonRecordError } from "../../lambdas/core/handler.ts";
import type { Applied, Ledger } from "../../lambdas/core/ledger.ts";
import type { Delivery } from "../../lambdas/core/record.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import { encodeKey } from "../../lambdas/core/wire/wire.ts";
import { encodeReplay } from "../../lambdas/core/wire/wire-metadata.ts";
import { seeded } from "../../local/demo/seeded.ts";
import { KEYS } from "../core/drain/drain-stage.ts";
import { MemoryLedger, type TestEffect } from "../core/memory-ledger.ts";
import { VirtualClock } from "../core/virtual-clock.ts";
import { FifoQueue } from "./fifo-queue.ts";
import { type Faults, NO_FAULTS, ProcessModel } from "./process-model.ts";

export type Kind = "ok" | "flaky" | "poison" | "poisonError" | "crashOnce" | "crashes" | "hangs";

export type Planned = { readonly id: string; readonly partition: number; readonly kind: Kind };

export type WorldOptions = {
  readonly seed: number;
  readonly plan: readonly Planned[];
  readonly batchSize: number;
  readonly effects: boolean;
  readonly faults: Faults;
};

const SETTINGS = settingsOf({
  partitions: 16,
  handlerTimeoutSeconds: 1,
  deadlineMarginSeconds: 1,
  consumerTimeoutSeconds: 4,
  visibilityTimeoutSeconds: 8,
  backoffBaseSeconds: 1,
  backoffCapSeconds: 2,
});

type Letter = { readonly delivery: Delivery; readonly facts: LetterFacts };

/** The consumer's real code against a queue, a ledger and processes that fail as they do. */
export class DrainWorld {
  readonly clock = new VirtualClock();
  readonly queue = new FifoQueue();
  readonly ledger = new MemoryLedger();
  /** Calls of the handler by record and generation. */
  readonly calls = new Map<string, number>();
  /** Successes of the handler, or effects applied, in order. */
  readonly applied: string[] = [];
  readonly everDead = new Set<string>();
  readonly history: string[] = [];
  letters: Letter[] = [];
  readonly #options: WorldOptions;
  readonly #random: () => number;
  readonly #kinds: ReadonlyMap<string, Kind>;
  #mended = false;
  #quiet = false;
  #running = 0;
  #invocations = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#random = seeded(options.seed);
    this.#kinds = new Map(options.plan.map(({ id, kind }) => [id, kind]));
  }

  /** Drains with faults; then mends every cause and replays until no letter is left. */
  async live(): Promise<void> {
    for (const { id, partition } of this.#options.plan) this.#publish(id, partition);
    await this.clock.run(this.#drain());
    this.#mended = true;
    for (let rounds = 0; this.letters.length > 0 && rounds < 20; rounds += 1) {
      this.#quiet = rounds > 5;
      await this.#replay();
      await this.clock.run(this.#drain());
    }
  }

  #publish(id: string, partition: number): void {
    this.queue.send({
      group: String(partition),
      body: id,
      attributes: {
        id: { dataType: "String", stringValue: id },
        ...encodeKey(KEYS[partition] ?? ""),
      },
    });
  }

  async #replay(): Promise<void> {
    const letters = this.letters;
    this.letters = [];
    for (const { delivery, facts } of letters) {
      const [standing] = await this.ledger.standings([
        { ...facts, key: KEYS[facts.partition] ?? "" },
      ]);
      if (standing?.entry === "named" || standing?.item?.state === "applied") continue;
      const generation = Math.max(facts.generation, standing?.item?.generation ?? 0) + 1;
      const { replay: _, ...kept } = delivery.attributes;
      const replay = encodeReplay({ ...facts, generation, runId: "run" });
      const group = String(facts.partition);
      this.queue.send({ group, body: delivery.body, attributes: { ...kept, replay } });
    }
  }

  async #drain(): Promise<void> {
    for (;;) {
      const { batchSize } = this.#options;
      const visibilityMs = SETTINGS.visibilityTimeoutSeconds * 1000;
      const batch =
        this.#running < 3 ? this.queue.receive(batchSize, this.clock.nowMs(), visibilityMs) : [];
      if (batch.length > 0) {
        this.#running += 1;
        void this.#invoke(batch).finally(() => {
          this.#running -= 1;
        });
      } else if (this.queue.messages().length === 0 && this.#running === 0) return;
      await this.clock.sleep(batch.length > 0 ? 1 : 100);
    }
  }

  async #invoke(batch: readonly Delivery[]): Promise<void> {
    this.#invocations += 1;
    const id = `run-${this.#invocations}`;
    const process = new ProcessModel(this.clock, this.#random, () => this.#faults());
    const limitMs = SETTINGS.consumerTimeoutSeconds * 1000;
    const stopTimer = this.clock.after(limitMs, () => process.kill());
    const invocation = { id, deadlineMs: this.clock.nowMs() + limitMs };
    this.history.push(`${id} got ${batch.map(({ body, receives }) => `${body}x${receives}`)}`);
    const draining = drainBatch(batch, invocation, this.#ports(process)).catch(
      () => "threw" as const,
    );
    const answer = await Promise.race([draining, process.died]);
    stopTimer();
    this.history.push(`${id} ${typeof answer === "string" ? answer : `failed ${answer}`}`);
    // A lost answer is a function error: nothing is deleted.
    if (typeof answer === "string" || this.#random() < this.#faults().crash * 3) return;
    for (const { messageId, receiptHandle } of batch) {
      const acknowledged = !answer.includes(messageId) && this.#random() >= this.#faults().lose;
      if (acknowledged) this.queue.delete(receiptHandle, this.clock.nowMs());
    }
  }

  #faults(): Faults {
    return this.#quiet ? NO_FAULTS : this.#options.faults;
  }

  #ports(process: ProcessModel): Parameters<typeof drainBatch<TestEffect>>[2] {
    return {
      handle: this.#handler(process),
      ledger: this.#ledgerOf(process),
      deadLetters: {
        send: (delivery, facts) => process.call(async () => this.#bury(delivery, facts)),
      },
      source: {
        setVisibility: (deliveries, seconds) =>
          process.call(async () => {
            for (const { receiptHandle } of deliveries) {
              this.queue.setVisibility(receiptHandle, this.clock.nowMs(), seconds);
            }
          }),
      },
      clock: this.clock,
      report: () => undefined,
      random: this.#random,
      settings: SETTINGS,
    };
  }

  #bury(delivery: Delivery, facts: LetterFacts): void {
    this.everDead.add(facts.id);
    // SQS takes one of the same de-duplication id.
    const known = this.letters.some(
      (one) =>
        one.delivery.messageId === delivery.messageId && one.facts.generation === facts.generation,
    );
    if (!known) this.letters.push({ delivery, facts });
    this.history.push(`${facts.id} died: ${facts.reason}`);
  }

  #ledgerOf(process: ProcessModel): Ledger<TestEffect> {
    const { ledger } = this;
    return {
      standings: (...args) => process.call(() => ledger.standings(...args)),
      count: (...args) => process.call(() => ledger.count(...args)),
      noteFailure: (...args) => process.call(() => ledger.noteFailure(...args)),
      markDead: (...args) => process.call(() => ledger.markDead(...args)),
      markApplied: (...args) => process.call(() => ledger.markApplied(...args)),
      addEntry: (...args) => process.call(() => ledger.addEntry(...args)),
      applyWithEffects: (...args) => {
        let answered: Promise<Applied> | undefined;
        // The SDK's token makes a repeated request answer as the first did.
        return process.call(() => {
          answered ??= this.#applyEffects(...args);
          return answered;
        });
      },
    };
  }

  async #applyEffects(...args: Parameters<MemoryLedger["applyWithEffects"]>): Promise<Applied> {
    const result = await this.ledger.applyWithEffects(...args);
    if (result.kind === "applied") this.applied.push(args[0].id);
    return result;
  }

  #handler(process: ProcessModel): Handler<TestEffect> {
    return async ({ id, generation }) => {
      const calls = (this.calls.get(`${id}/${generation}`) ?? 0) + 1;
      this.calls.set(`${id}/${generation}`, calls);
      await process.alive(1 + this.#random() * 50);
      if (!this.#mended) await this.#fail(id, calls, process);
      if (this.#options.effects) return { effects: [{ add: id }] };
      this.applied.push(id);
      return undefined;
    };
  }

  async #fail(id: string, calls: number, process: ProcessModel): Promise<void> {
    switch (this.#kinds.get(id)) {
      case "flaky":
        if (calls <= 2) throw new Error("flaky");
        return;
      case "poison":
        throw new Error("poison");
      case "poisonError":
        throw new PoisonRecordError("poison");
      case "crashOnce":
        if (calls > 1) return;
        process.kill();
        return process.alive(0);
      case "crashes":
        process.kill();
        return process.alive(0);
      case "hangs":
        return process.alive(1_000_000);
      default:
        return;
    }
  }
}
