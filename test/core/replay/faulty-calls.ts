import type { OutgoingMessage, SendOutcome } from "../../../lambdas/core/replay/replay-ports.ts";
import type { MemoryFifo } from "../memory-fifo.ts";
import type { VirtualClock } from "../virtual-clock.ts";

/** A fault that a port call meets. */
export type Fault = "refused" | "lost" | "failed";

/** How long each port call takes. */
const LATENCY_MS = 5;

/** Port calls that take time and meet faults. */
export function faultyCalls(clock: VirtualClock) {
  /** Name of a port call and id (or `*`) -> fault it meets. */
  const faults = new Map<string, Fault>();
  return {
    faults,

    async send(call: string, queue: MemoryFifo, message: OutgoingMessage): Promise<SendOutcome> {
      await clock.sleep(LATENCY_MS);
      const fault = faults.get(`${call} ${idIn(message)}`) ?? faults.get(`${call} *`);
      if (fault === "refused") return { kind: "refused", reason: "not allowed" };
      if (fault === "failed") return { kind: "unknown", reason: "no answer" };
      const messageId = queue.send(message);
      if (fault === "lost") return { kind: "unknown", reason: "no answer" };
      return { kind: "accepted", messageId };
    },

    async port<T>(call: string, id: string | undefined, act: () => T | Promise<T>): Promise<T> {
      await clock.sleep(LATENCY_MS);
      const fault = faults.get(`${call} ${id}`) ?? faults.get(`${call} *`);
      if (fault === "failed") throw new Error(`${call} failed`);
      const result = await act();
      if (fault === "lost") throw new Error(`the answer to ${call} was lost`);
      return result;
    },
  };
}

export function idIn({ attributes }: Pick<OutgoingMessage, "attributes">): string | undefined {
  return attributes["id"]?.stringValue;
}
