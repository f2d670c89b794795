import type { RecordRef } from "../../lambdas/core/ledger.ts";
import type { ProcessModel } from "./process-model.ts";

/** What a message says of its record. */
export type Received = Pick<RecordRef, "id" | "generation" | "partition"> & {
  readonly replayed: boolean;
};

type Turn = {
  charged: boolean;
  called: boolean;
  /** What became of the call: undefined while it lasts. */
  came: "well" | "badly" | "to poison" | undefined;
};

/** Sees whom one invocation charges: P3 wants that each charge belongs to a call of that record. */
export class InvocationWitness {
  readonly #process: ProcessModel;
  readonly #known: ReadonlySet<string>;
  readonly #maxAttempts: number;
  readonly #turns = new Map<string, Turn>();

  /** `known`: ids that the ledger named as applied when the invocation began. */
  constructor(process: ProcessModel, known: ReadonlySet<string>, maxAttempts: number) {
    this.#process = process;
    this.#known = known;
    this.#maxAttempts = maxAttempts;
  }

  charged({ id, generation }: RecordRef, attempts: number): void {
    // Above the maximum it is no charge but the verdict that no attempt is left.
    if (attempts <= (generation > 0 ? 1 : this.#maxAttempts)) this.#turn(id).charged = true;
  }

  /** Its charge is taken back. Answers whether it was called. */
  uncharged({ id }: RecordRef): boolean {
    const turn = this.#turn(id);
    turn.charged = false;
    return turn.called;
  }

  called(id: string): readonly string[] {
    const turn = this.#turn(id);
    turn.called = true;
    turn.came = undefined;
    return this.#known.has(id)
      ? [
          `P6: ${id} was handled again in ${this.#process.name}, though the ledger knew it as applied`,
        ]
      : [];
  }

  returned(id: string, came: Turn["came"]): void {
    this.#turn(id).came = came;
  }

  threwPoison(id: string): boolean {
    return this.#turns.get(id)?.came === "to poison";
  }

  /** The invocation answered: whoever it charged was called. */
  answered(isOthers: (id: string) => boolean): readonly string[] {
    // A count whose reply was lost cannot be taken back, and need not be, where another invocation of
    // the same batch counted or settled the record meanwhile.
    return this.#chargedFor(({ called }) => !called)
      .filter((id) => !isOthers(id))
      .map((id) => `P3: ${id} was charged by ${this.#process.name} without a call`);
  }

  /** `killer` took the process with it: no other may be left with a charge for a call that went well,
   *  or was still going on. */
  killedBy(killer: string, isApplied: (id: string) => boolean): readonly string[] {
    return this.#chargedFor(({ came }) => came === undefined || came === "well")
      .filter((id) => id !== killer && !isApplied(id))
      .map((id) => `P3: ${id} was charged when ${killer} killed ${this.#process.name}`);
  }

  #chargedFor(condition: (turn: Turn) => boolean): readonly string[] {
    return [...this.#turns]
      .filter(([, turn]) => turn.charged && condition(turn))
      .map(([id]) => id)
      .filter((id) => !this.#process.chargedForGood.has(id));
  }

  #turn(id: string): Turn {
    const known = this.#turns.get(id);
    if (known !== undefined) return known;
    const turn: Turn = { charged: false, called: false, came: undefined };
    this.#turns.set(id, turn);
    return turn;
  }
}
