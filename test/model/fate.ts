/** What may go wrong with one request of a process. */
export type RequestMishap =
  /** The process dies, before or after the request took effect. */
  | "dies before"
  | "dies after"
  /** This request is refused and nothing happened; the SDK repeats it. */
  | "refused"
  /** It took effect, its reply is lost; the SDK repeats it. */
  | "reply lost"
  /** The call throws for good, before or after it took effect. */
  | "fails before"
  | "fails after";

/** What may go wrong around an invocation, its answer, and the deletes that follow it. */
export type DeliveryMishap =
  /** Received, but the invocation never starts: a receive is burnt. */
  | "throttled"
  /** It starts so late that the messages may already be in another's hands. */
  | "late"
  /** The same batch is invoked twice. */
  | "duplicated"
  /** The answer, or one entry of the delete, does not arrive. */
  | "lost";

export type Mishap = RequestMishap | DeliveryMishap;

/** Decides what goes wrong. `call` is a port's method, `invoke`, `answer` or `delete`; `id` the record's. */
export type Fate = (call: string, id: string) => Mishap | undefined;

/** Chances of each mishap. Those of the first four are per request. */
export type Faults = {
  readonly crash: number;
  readonly refuse: number;
  readonly lose: number;
  readonly fail: number;
  readonly throttle: number;
  readonly late: number;
  readonly duplicate: number;
  readonly loseDelete: number;
};

export function randomFate(faults: Faults, random: () => number): Fate {
  const { crash, refuse, lose, fail, throttle, late, duplicate, loseDelete } = faults;
  const request = drawnFrom([
    ["dies before", crash],
    ["dies after", crash],
    ["refused", refuse],
    ["reply lost", lose],
    ["fails before", fail],
    ["fails after", fail],
  ]);
  const others: Readonly<Record<string, (draw: number) => Mishap | undefined>> = {
    invoke: drawnFrom([
      ["throttled", throttle],
      ["late", late],
      ["duplicated", duplicate],
    ]),
    answer: drawnFrom([["lost", crash * 3]]),
    delete: drawnFrom([["lost", loseDelete]]),
  };
  return (call) => (others[call] ?? request)(random());
}

function drawnFrom(
  chances: readonly (readonly [Mishap, number])[],
): (draw: number) => Mishap | undefined {
  return (draw) => {
    let sum = 0;
    for (const [mishap, chance] of chances) {
      sum += chance;
      if (draw < sum) return mishap;
    }
    return undefined;
  };
}

/** One mishap of a hand-made history: at the `nth` such call, the first where it is not said. */
export type Step = {
  readonly call: string;
  readonly id: string;
  readonly nth?: number;
  readonly mishap: Mishap;
};

/** Exactly these mishaps and no other. */
export function scriptedFate(steps: readonly Step[]): Fate {
  const seen = new Map<string, number>();
  return (call, id) => {
    const name = `${call} ${id}`;
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return steps.find((one) => `${one.call} ${one.id}` === name && (one.nth ?? 1) === nth)?.mishap;
  };
}
