import type { Lease } from "../../lambdas/core/replay/replay-ports.ts";
import { seeded } from "../../lambdas/core/seeded.ts";
import type { Settings } from "../../lambdas/core/settings.ts";
import type { Fate } from "./fate.ts";
import { FifoQueue, idIn, type Message } from "./fifo-queue.ts";
import type { InvocationWitness } from "./invocation-witness.ts";
import { ModelClock } from "./model-clock.ts";
import { ModelLedger } from "./model-ledger.ts";
import { modelSettings } from "./model-settings.ts";
import { ProcessModel } from "./process-model.ts";
import type { Planned, Scenario } from "./scenario.ts";
import { Witness } from "./witness.ts";

/** Queues, a ledger, a witness and a clock, among which processes run that fail. */
export class World {
  readonly scenario: Scenario;
  readonly settings: Settings;
  readonly clock = new ModelClock();
  readonly source: FifoQueue;
  readonly letters: FifoQueue;
  readonly ledger = new ModelLedger();
  readonly witness: Witness;
  readonly planned: ReadonlyMap<string, Planned>;
  readonly random: () => number;
  /** Calls of the handler by record. */
  readonly calls = new Map<string, number>();
  /** Who did what to which message, in order; empty unless it was asked for. */
  readonly history: string[] = [];
  mended = false;
  /** Called when something may have come into sight in the source queue. */
  pollSoon: () => void = () => undefined;
  lease: Lease | undefined;
  readonly #fate: Fate;
  readonly #telling: boolean;
  readonly #bornMs: number;
  /** Nothing goes wrong any more. */
  quiet = false;
  #processes = 0;

  constructor(
    scenario: Scenario,
    fateOf: (random: () => number) => Fate,
    { telling } = { telling: false },
  ) {
    this.scenario = scenario;
    this.settings = modelSettings(scenario);
    this.random = seeded(scenario.seed);
    this.#fate = fateOf(this.random);
    this.#telling = telling;
    this.#bornMs = this.clock.nowMs();
    this.planned = new Map(scenario.plan.map((one) => [one.id, one]));
    this.letters = new FifoQueue("d", this.clock);
    const { maxReceiveCount } = scenario;
    const move = (message: Message): void => this.#moveToLetters(message);
    this.source = new FifoQueue("s", this.clock, { maxReceiveCount, move });
    this.witness = new Witness(scenario, this.ledger);
  }

  get fate(): Fate {
    return this.quiet ? () => undefined : this.#fate;
  }

  process(what: string): ProcessModel {
    this.#processes += 1;
    const name = `${what}-${this.#processes}`;
    return new ProcessModel(
      name,
      this.clock,
      this.random,
      (call, id) => this.fate(call, id),
      (told, id) => this.tell(`${name} ${told}`, id),
    );
  }

  tell(what: string, subject: string): void {
    if (!this.#telling) return;
    const atMs = Math.round(this.clock.nowMs() - this.#bornMs);
    this.history.push(`${String(atMs).padStart(7)} ms  ${what} ${subject}`);
  }

  /** The effect of a record happened. */
  apply(id: string): void {
    this.witness.applied.push(id);
    this.tell("applied:", id);
  }

  /** The handler takes the process with it. */
  killedBy(id: string, process: ProcessModel, witness: InvocationWitness): Promise<never> {
    const isApplied = (one: string): boolean => this.ledger.items.get(one)?.state === "applied";
    if (!process.dead) this.witness.broken.push(...witness.killedBy(id, isApplied));
    process.kill();
    return new Promise(() => undefined);
  }

  removed(message: Message | undefined): void {
    if (message === undefined) return;
    this.tell("deleted:", `${idIn(message)}(${message.messageId})`);
    this.witness.removed(message, [...this.source.messages, ...this.letters.messages]);
    this.pollSoon();
  }

  /** Every cause of a failure is gone. */
  mend(): void {
    if (!this.mended) this.tell("every cause is mended", "");
    this.mended = true;
  }

  #moveToLetters(message: Message): void {
    const early = this.scenario.maxReceiveCount < this.settings.maxReceiveCount;
    this.letters.put(message);
    this.tell(`SQS moves ${message.messageId} to the letters:`, idIn(message));
    this.witness.moved(message, early);
  }
}
