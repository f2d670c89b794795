import type { Fate } from "./fate.ts";
import type { ModelClock } from "./model-clock.ts";

/** Requests that the SDK makes of one call before it throws. */
const REQUESTS = 3;

/** Share of requests that are slow, and how slow: a function may run out of time over them. */
const SLOW = 0.01;
const SLOW_MS = 2000;

/** A request that is on its way when the process dies still arrives so often, so much later at most. */
const ARRIVES_ANYWAY = 0.3;
const ARRIVES_WITHIN_MS = 5000;

/** What a process tells of its calls. */
export type Told = (what: string, id: string) => void;

/** One Lambda process in one invocation: everything in it stops for ever when it dies. */
export class ProcessModel {
  readonly name: string;
  readonly died: Promise<"died">;
  dead = false;
  /** Ids of records of which a charge could not be taken back. */
  readonly chargedForGood = new Set<string>();
  readonly #die: () => void;
  readonly #clock: ModelClock;
  readonly #random: () => number;
  readonly #fate: Fate;
  readonly #tell: Told;
  /** Requests on the wire: one may still arrive after the process is gone. */
  readonly #onTheWire = new Set<() => unknown>();

  constructor(name: string, clock: ModelClock, random: () => number, fate: Fate, tell: Told) {
    this.name = name;
    this.#clock = clock;
    this.#random = random;
    this.#fate = fate;
    this.#tell = tell;
    const { promise, resolve } = Promise.withResolvers<"died">();
    this.died = promise;
    this.#die = () => resolve("died");
  }

  kill(): void {
    if (this.dead) return;
    this.dead = true;
    this.#die();
    for (const effect of this.#onTheWire) {
      if (this.#random() < ARRIVES_ANYWAY) {
        this.#clock.after(this.#random() * ARRIVES_WITHIN_MS, () => {
          this.#tell("a request arrives after its process is gone", "");
          void (async () => effect())().catch(() => undefined);
        });
      }
    }
  }

  /** Work of the handler: stops with the process. */
  async alive(ms: number): Promise<void> {
    await this.#clock.sleep(ms);
    if (this.dead) await new Promise(() => undefined);
  }

  /**
   * A call to a port with whatever may go wrong around it. The SDK repeats a request that was not
   * answered; only then does the call throw.
   */
  async call<T>(name: string, id: string, request: () => Promise<T> | T): Promise<T> {
    for (let tries = 0; tries < REQUESTS; tries += 1) {
      const answer = await this.#request(name, id, request);
      if (answer !== undefined) return answer.result;
    }
    return this.#fail(name, id);
  }

  /** One request; undefined where it was refused or its reply was lost. */
  async #request<T>(
    name: string,
    id: string,
    request: () => Promise<T> | T,
  ): Promise<{ readonly result: T } | undefined> {
    this.#onTheWire.add(request);
    await this.alive(this.#latencyMs());
    this.#onTheWire.delete(request);
    const mishap = this.#fate(name, id);
    if (mishap !== undefined) this.#tell(`${name}: ${mishap}`, id);
    if (mishap === "dies before") return this.#dieHere();
    if (mishap === "fails before") return this.#fail(name, id);
    if (mishap === "refused") return undefined;
    const result = await request();
    if (mishap === "dies after") return this.#dieHere();
    await this.alive(this.#latencyMs() / 4);
    if (mishap === "fails after") return this.#fail(name, id);
    return mishap === "reply lost" ? undefined : { result };
  }

  #latencyMs(): number {
    const draw = this.#random();
    return draw < SLOW ? (draw / SLOW) * SLOW_MS : 1 + draw * 20;
  }

  #fail(name: string, id: string): never {
    if (name === "uncount") this.chargedForGood.add(id);
    throw new Error(`the service did not answer ${name}`);
  }

  #dieHere(): Promise<never> {
    this.kill();
    return new Promise(() => undefined);
  }
}
