import type { LetterFacts } from "../../lambdas/core/dead-letter.ts";
import type { RecordRef } from "../../lambdas/core/ledger.ts";
import type { Delivery } from "../../lambdas/core/record.ts";
import { readArrival } from "../../lambdas/core/wire/arrival.ts";
import type { Message } from "./fifo-queue.ts";
import { InvocationWitness, type Received } from "./invocation-witness.ts";
import type { ModelLedger } from "./model-ledger.ts";
import { PARTITIONS } from "./model-settings.ts";
import type { ProcessModel } from "./process-model.ts";
import type { Scenario } from "./scenario.ts";

/** Sees all that happens in a world and says which promise was broken. */
export class Witness {
  readonly broken: string[] = [];
  /** Ids in the order in which the source queue accepted them first. */
  readonly published = new Set<string>();
  /** Ids in the order of successes; with effects, of effects that happened. */
  readonly applied: string[] = [];
  readonly everDead = new Set<string>();
  /** Ids of records that came a second time as a fresh message, which nothing ties to the first. */
  readonly reborn = new Set<string>();
  /** Ids of records of which someone moved a letter back: each move may cost further attempts. */
  readonly movedBack = new Set<string>();
  readonly #scenario: Scenario;
  readonly #ledger: ModelLedger;
  readonly #calls = new Map<string, number>();
  readonly #callsMax = new Map<string, number>();
  readonly #charges = new Map<string, number>();
  readonly #received = new Map<string, Received>();
  readonly #invocations = new Map<string, InvocationWitness>();

  constructor(scenario: Scenario, ledger: ModelLedger) {
    this.#scenario = scenario;
    this.#ledger = ledger;
    ledger.onCount = (record, { attempts, attemptId }) => {
      this.#invocationOf(attemptId)?.charged(record, attempts);
      if (this.#isCharge(record, attempts)) add(this.#charges, nameOf(record), 1);
    };
    ledger.onUncount = (record, { attempts, attemptId }) => {
      const called = this.#invocationOf(attemptId)?.uncharged(record) === true;
      if (!this.#isCharge(record, attempts)) return;
      add(this.#charges, nameOf(record), -1);
      // A call that an outage took the outcome of may be made again.
      if (called) add(this.#callsMax, nameOf(record), 1);
    };
  }

  #invocationOf(attemptId: string): InvocationWitness | undefined {
    const [name = ""] = attemptId.split(":");
    return this.#invocations.get(name);
  }

  /** Above the maximum it is no charge but the verdict that no attempt is left. */
  #isCharge({ generation }: RecordRef, attempts: number): boolean {
    return attempts <= (generation > 0 ? 1 : this.#scenario.maxAttempts);
  }

  /** An invocation begins with these messages. */
  invoked(process: ProcessModel, batch: readonly Delivery[]): InvocationWitness {
    const received = batch.map((delivery) => this.#look(delivery));
    const careful = batch.some(({ receives }, n) => receives > 1 || received[n]?.replayed === true);
    for (const [n, { receives }] of batch.entries()) {
      const one = received[n];
      // A first call that dies with its process is counted nowhere.
      if (receives === 1 && one?.replayed === false) add(this.#callsMax, nameOf(one), 1);
    }
    const known = careful ? received.filter((one) => this.#isKnown(one)).map(({ id }) => id) : [];
    const witness = new InvocationWitness(process, new Set(known), this.#scenario.maxAttempts);
    this.#invocations.set(process.name, witness);
    return witness;
  }

  called(invocation: InvocationWitness, record: { id: string; generation: number }): void {
    add(this.#calls, nameOf(record), 1);
    this.broken.push(...invocation.called(record.id));
  }

  /** The consumer sends a letter. */
  buried(invocation: InvocationWitness, delivery: Delivery, facts: LetterFacts): void {
    const { id, generation } = facts;
    this.everDead.add(id);
    const received = this.#look(delivery);
    const misrouted = delivery.group !== String(received.partition);
    if (misrouted || invocation.threwPoison(id)) return;
    const charges = this.#charges.get(nameOf(facts)) ?? 0;
    const cap = generation > 0 || received.replayed ? 1 : this.#scenario.maxAttempts;
    if (charges < cap) {
      this.broken.push(
        `P3: ${id} (generation ${generation}) died after ${charges} of ${cap} attempts: ${facts.reason}`,
      );
    }
  }

  /** SQS moves a message to the dead-letter queue by its own redrive. */
  moved({ attributes, receives }: Message, early: boolean): void {
    const id = attributes["id"]?.stringValue ?? "";
    this.everDead.add(id);
    if (!early) this.broken.push(`P3: SQS moved ${id} after ${receives} receives`);
  }

  /** A message was deleted from a queue; `left` are all that are in either queue now. */
  removed(message: Message, left: readonly Message[]): void {
    const id = message.attributes["id"]?.stringValue ?? "";
    if (this.applied.includes(id)) return;
    if (left.some(({ attributes }) => attributes["id"]?.stringValue === id)) return;
    this.broken.push(`P2: ${id} is lost with the delete of ${message.messageId}`);
  }

  /** What the whole history breaks, once nothing moves any more. */
  verdict(once: boolean, lettersLeft: number): readonly string[] {
    return [
      ...this.broken,
      ...[...this.published].flatMap((id) => this.#brokenFor(id, once)),
      ...this.#disorder(),
      ...[...this.#calls.keys()].flatMap((name) => this.#calledTooOften(name)),
      ...(lettersLeft > 0 ? [`P6: ${lettersLeft} letters are left after many replays`] : []),
      ...(once ? this.#listed() : []),
    ];
  }

  #brokenFor(id: string, once: boolean): readonly string[] {
    const count = this.applied.filter((one) => one === id).length;
    if (count === 0) return [`P2: ${id} was never applied`];
    return once && count > 1 ? [`P5: ${id} was applied ${count} times`] : [];
  }

  /** Records that look open for ever. A plain handler's first success asks nothing of the ledger, so
   *  that a message which SQS's own redrive brought back, or a second delivery, may leave one. */
  #listed(): readonly string[] {
    return [...this.#ledger.items.values()]
      .filter(({ id, state }) => state !== "applied" && !this.movedBack.has(id))
      .map(({ id, state }) => `P6: ${id} is listed as ${state} for ever`);
  }

  #calledTooOften(name: string): readonly string[] {
    const calls = this.#calls.get(name) ?? 0;
    const most = this.#callsMax.get(name) ?? 0;
    const [id = ""] = name.split("/");
    if (calls <= most || this.movedBack.has(id)) return [];
    return [`P4: ${name} was called ${calls} times, at most ${most}`];
  }

  /** First applications in another order than published, in each partition; dead letters aside. */
  #disorder(): readonly string[] {
    const living = this.#scenario.plan.filter(({ id }) => !this.everDead.has(id));
    return [...Map.groupBy(living, ({ partition }) => partition).values()].flatMap((line) => {
      const ids = line.map(({ id }) => id);
      const order = ids.toSorted((a, b) => this.applied.indexOf(a) - this.applied.indexOf(b));
      return order.join() === ids.join() ? [] : [`P1: applied in the order ${order}`];
    });
  }

  #isKnown({ id }: Received): boolean {
    return !this.reborn.has(id) && this.#ledger.knows(id);
  }

  #look(delivery: Delivery): Received {
    const known = this.#received.get(delivery.messageId);
    if (known !== undefined) return known;
    const { identity, replayed } = readArrival(delivery, PARTITIONS);
    const { id, generation, partition } = identity;
    const received = { id, generation, partition, replayed };
    this.#received.set(delivery.messageId, received);
    add(this.#callsMax, nameOf(received), replayed ? 1 : this.#scenario.maxAttempts);
    return received;
  }
}

function nameOf({ id, generation }: { readonly id: string; readonly generation: number }): string {
  return `${id}/${generation}`;
}

function add(to: Map<string, number>, name: string, more: number): void {
  to.set(name, (to.get(name) ?? 0) + more);
}
