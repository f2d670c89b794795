import type { Delivery, MessageAttributes } from "../../lambdas/core/record.ts";
import { encodeKey } from "../../lambdas/core/wire/wire.ts";
import { KEYS } from "../core/drain/drain-stage.ts";
import { runConsumer } from "./consumer-run.ts";
import { idIn } from "./fifo-queue.ts";
import { runReplay } from "./replay-run.ts";
import type { Planned, PlannedReplay } from "./scenario.ts";
import type { World } from "./world.ts";

/** A throttled start is tried again so long after the receive. */
const LATE_FROM_MS = 3000;
const LATE_TO_MS = 10_000;

/** Rounds of replays after everything is mended, and from which on nothing goes wrong any more. */
const ROUNDS = 16;
const QUIET_FROM = 6;

/** A replay of the model has a minute; what a dead one holds is seen again half a minute later. */
const BETWEEN_ROUNDS_MS = 200_000;

/** The project's own consumer and replay at work in a world, from the first publish to the last letter. */
export class WorldLife {
  readonly #world: World;
  #invocations = 0;
  /** Things under way: while there are any, or messages, life goes on. */
  #busy = 0;
  #nextPoll: { readonly atMs: number; readonly cancel: () => void } | undefined;

  constructor(world: World) {
    this.#world = world;
    world.pollSoon = () => this.#pollAt(world.clock.nowMs() + 20);
  }

  /** Traffic with faults, replays and moves; then every cause is mended and replays run until no
   *  letter is left, and once more. */
  async live(): Promise<void> {
    const { plan, replays, moves, mendedAtMs } = this.#world.scenario;
    for (const line of Map.groupBy(plan, ({ partition }) => partition).values()) {
      this.#during(this.#publishAll(line));
    }
    this.#world.clock.after(mendedAtMs, () => this.#world.mend());
    for (const one of replays) this.#during(this.#replayAt(one));
    for (const atMs of moves) this.#during(this.#moveBackAt(atMs));
    await this.#untilIdle();
    this.#world.mend();
    for (let round = 0; round < ROUNDS && this.#world.letters.messages.length > 0; round += 1) {
      this.#world.quiet = round >= QUIET_FROM;
      await this.#replayRound();
    }
    this.#world.quiet = true;
    await this.#replayRound();
  }

  /** Life does not end while this lasts. */
  #during(work: Promise<void>): void {
    this.#busy += 1;
    void work.finally(() => {
      this.#busy -= 1;
    });
  }

  async #untilIdle(): Promise<void> {
    await this.#world.clock.runUntil(
      () => this.#busy === 0 && this.#world.source.messages.length === 0,
    );
  }

  async #replayRound(): Promise<void> {
    const one = { atMs: 0, diesAfterMs: undefined, leaseLost: false };
    const dies = !this.#world.quiet && this.#world.random() < 0.3;
    this.#during(
      this.#replayAt({ ...one, diesAfterMs: dies ? this.#world.random() * 3000 : undefined }),
    );
    if (!this.#world.quiet && this.#world.random() < 0.4) {
      this.#during(this.#replayAt({ ...one, atMs: this.#world.random() * 2000, leaseLost: true }));
    }
    await this.#untilIdle();
    this.#during(this.#world.clock.sleep(BETWEEN_ROUNDS_MS));
    await this.#untilIdle();
  }

  async #replayAt({ atMs, diesAfterMs, leaseLost }: PlannedReplay): Promise<void> {
    if (atMs > 0) await this.#world.clock.sleep(atMs);
    const process = this.#world.process("replay");
    if (diesAfterMs !== undefined) {
      this.#world.clock.after(diesAfterMs, () => {
        if (!process.dead) this.#world.tell(`${process.name} is killed`, "");
        process.kill();
      });
    }
    await runReplay(this.#world, process, leaseLost);
  }

  async #publishAll(line: readonly Planned[]): Promise<void> {
    for (const one of line) {
      if (one.gapMs > 0) await this.#world.clock.sleep(one.gapMs);
      await this.#publish(one);
      if (one.againMs > 0) this.#during(this.#publishAgain(one));
    }
  }

  async #publishAgain(one: Planned): Promise<void> {
    await this.#world.clock.sleep(one.againMs);
    this.#world.witness.reborn.add(one.id);
    await this.#publish(one);
  }

  /** A publisher repeats what was not confirmed, with the same id, also after it died. */
  async #publish({ id, partition }: Planned): Promise<void> {
    const message = {
      group: String(partition),
      deduplicationId: id,
      body: id,
      attributes: attributesOf(id, partition, this.#world.clock.nowMs()),
    };
    for (let done = false; !done; ) {
      const process = this.#world.process("publisher");
      const sending = process
        .call("publish", id, () => {
          const messageId = this.#world.source.send(message);
          this.#world.witness.published.add(id);
          this.#world.tell("published:", `${id}(${messageId}) to ${partition}`);
          this.#world.pollSoon();
          return true;
        })
        .catch(() => false);
      done = (await Promise.race([sending, process.died])) === true;
    }
  }

  async #moveBackAt(atMs: number): Promise<void> {
    await this.#world.clock.sleep(atMs);
    const nowMs = this.#world.clock.nowMs();
    for (const message of [...this.#world.letters.messages]) {
      if (message.visibleAtMs > nowMs || this.#world.random() < 0.3) continue;
      this.#world.letters.messages.splice(this.#world.letters.messages.indexOf(message), 1);
      const { body, attributes, group } = message;
      const deduplicationId = `moved ${message.messageId}`;
      const messageId = this.#world.source.send({ body, attributes, group, deduplicationId });
      this.#world.witness.reborn.add(idIn(message));
      this.#world.witness.movedBack.add(idIn(message));
      this.#world.tell(`someone moves ${message.messageId} back as ${messageId}:`, idIn(message));
    }
    this.#world.pollSoon();
  }

  #pollAt(atMs: number): void {
    if (this.#nextPoll !== undefined) {
      if (this.#nextPoll.atMs <= atMs) return;
      this.#nextPoll.cancel();
    }
    const cancel = this.#world.clock.after(atMs - this.#world.clock.nowMs(), () => {
      this.#nextPoll = undefined;
      this.#poll();
    });
    this.#nextPoll = { atMs, cancel };
  }

  #poll(): void {
    // Lambda holds one invocation of a message group at a time, and scales with the groups.
    if (this.#invocations >= 4) return;
    const { batchSize, visibilityTimeoutSeconds } = this.#world.settings;
    const batch = this.#world.source.receive(
      batchSize,
      visibilityTimeoutSeconds * 1000,
      this.#world.random,
    );
    const head = batch[0];
    if (head === undefined) {
      const nextMs = this.#world.source.nextSightMs();
      if (nextMs !== undefined) this.#pollAt(nextMs);
      return;
    }
    this.#invoke(batch, idIn(head));
    this.#pollAt(this.#world.clock.nowMs() + 50);
  }

  #invoke(batch: readonly Delivery[], head: string): void {
    const mishap = this.#world.fate("invoke", head);
    if (mishap !== undefined) this.#world.tell(`an invocation is ${mishap} for`, head);
    if (mishap === "throttled") return;
    const lateMs = LATE_FROM_MS + this.#world.random() * (LATE_TO_MS - LATE_FROM_MS);
    this.#during(this.#run(batch, mishap === "late" ? lateMs : 0));
    if (mishap !== "duplicated") return;
    this.#during(this.#run(batch, this.#world.random() * 3000));
  }

  async #run(batch: readonly Delivery[], afterMs: number): Promise<void> {
    this.#invocations += 1;
    if (afterMs > 0) await this.#world.clock.sleep(afterMs);
    await runConsumer(this.#world, batch);
    this.#invocations -= 1;
    this.#world.pollSoon();
  }
}

function attributesOf(id: string, partition: number, nowMs: number): MessageAttributes {
  return {
    id: { dataType: "String", stringValue: id },
    enqueuedAt: { dataType: "Number", stringValue: String(nowMs) },
    ...encodeKey(KEYS[partition] ?? ""),
  };
}
