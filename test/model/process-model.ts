import type { VirtualClock } from "../core/virtual-clock.ts";

/** Chances of each fault, per call of a port. */
export type Faults = {
  /** The process dies, before or after the call took effect. */
  readonly crash: number;
  /** One request is refused, and nothing happened. */
  readonly refuse: number;
  /** The reply to one request is lost although it took effect. */
  readonly lose: number;
};

export const NO_FAULTS: Faults = { crash: 0, refuse: 0, lose: 0 };

/** Requests that the SDK makes of one call before it throws. */
const REQUESTS = 3;

/** One Lambda process in one invocation: everything in it stops for ever when it dies. */
export class ProcessModel {
  readonly died: Promise<"died">;
  #dead = false;
  readonly #die: () => void;
  readonly #clock: VirtualClock;
  readonly #random: () => number;
  readonly #faults: () => Faults;
  /** Requests on the wire: one may still arrive after the process is gone. */
  readonly #onTheWire = new Set<() => unknown>();

  constructor(clock: VirtualClock, random: () => number, faults: () => Faults) {
    this.#clock = clock;
    this.#random = random;
    this.#faults = faults;
    const { promise, resolve } = Promise.withResolvers<"died">();
    this.died = promise;
    this.#die = () => resolve("died");
  }

  kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#die();
    for (const effect of this.#onTheWire) {
      if (this.#random() < 0.3) {
        this.#clock.after(
          this.#random() * 5000,
          () => void Promise.resolve(effect()).catch(() => {}),
        );
      }
    }
  }

  /** Work of the handler: stops with the process. */
  async alive(ms: number): Promise<void> {
    await this.#clock.sleep(ms);
    if (this.#dead) await new Promise(() => {});
  }

  /** A call to a port with whatever may go wrong around it. The SDK repeats a request that was not
   *  answered; only then does the call throw. */
  async call<T>(request: () => Promise<T>): Promise<T> {
    for (let tries = 0; tries < REQUESTS; tries += 1) {
      const answer = await this.#request(request);
      if (answer !== undefined) return answer.result;
    }
    throw new Error("the service did not answer");
  }

  /** One request; undefined where it was refused or its reply was lost. */
  async #request<T>(request: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
    const { crash, refuse, lose } = this.#faults();
    await this.#onWire(request);
    if (this.#random() < crash) await this.#dieHere();
    if (this.#random() < refuse) return undefined;
    const result = await request();
    await this.alive(1 + this.#random() * 5);
    if (this.#random() < crash) await this.#dieHere();
    return this.#random() < lose ? undefined : { result };
  }

  async #onWire(request: () => unknown): Promise<void> {
    this.#onTheWire.add(request);
    await this.alive(1 + this.#random() * 20);
    this.#onTheWire.delete(request);
  }

  async #dieHere(): Promise<never> {
    this.kill();
    return new Promise(() => {});
  }
}
