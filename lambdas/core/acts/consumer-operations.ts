import { parseAsked } from "../letters/letter-request.ts";
import type { Performed } from "./act.ts";
import type { Operation, Prepared } from "./operation.ts";

/** Why the consumer is paused. */
export type Pause = {
  readonly pausedBy: string | undefined;
  readonly why: string;
  readonly ticket: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** The consumer's event source mapping, and the note on who turned it off. */
export interface ConsumerSwitch {
  /** Turns the mapping on or off. @returns its state, as Lambda names it.
   *  @throws where Lambda refuses, or the outcome is not known. */
  turn(on: boolean): Promise<string>;
  /** Keeps the note; undefined takes it away. */
  note(pause: Pause | undefined): Promise<void>;
}

/** Turn the consumer off and on. What is waiting stays in the source queue, in order. */
export function consumerOperations(
  consumer: ConsumerSwitch,
): Readonly<Record<"pause" | "resume", Operation>> {
  return {
    pause(fields): Prepared {
      const { requestedBy: who, why = "", ticket } = parseAsked(fields, true);
      const request = { operation: "pause", who, why, ticket, ...NO_LETTERS };
      return {
        kind: "writes",
        request,
        perform: ({ startedAtMs: at }) => pause(consumer, { pausedBy: who, why, ticket, at }),
      };
    },
    resume(fields): Prepared {
      const { requestedBy: who, why, ticket } = parseAsked(fields, true);
      const request = { operation: "resume", who, why, ticket, ...NO_LETTERS };
      return { kind: "writes", request, perform: () => resume(consumer) };
    },
  };
}

const NO_LETTERS = { filter: undefined, planDigest: undefined };

/** The note first: a backlog that stands still must never be without its reason. */
async function pause(consumer: ConsumerSwitch, note: Pause): Promise<Turned> {
  await consumer.note(note);
  return turned(await consumer.turn(false));
}

async function resume(consumer: ConsumerSwitch): Promise<Turned> {
  const state = await consumer.turn(true);
  await consumer.note(undefined);
  return turned(state);
}

type Turned = Performed<{ readonly state: string }>;

function turned(state: string): Turned {
  return { answer: { state }, state: "done", counts: {}, letters: [] };
}
