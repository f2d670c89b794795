import { type Handler, type HandlerResult, PoisonRecordError } from "../../lambdas/core/handler.ts";
import type { TestEffect } from "../core/memory-ledger.ts";
import type { InvocationWitness } from "./invocation-witness.ts";
import type { ProcessModel } from "./process-model.ts";
import type { Planned } from "./scenario.ts";
import type { World } from "./world.ts";

/** Longer than the handler's time: with effects it comes back later, and must not be listened to. */
const HANGS_MS = 1700;

/** Longer than any history. */
const FOR_EVER_MS = 30 * 86_400_000;

/** The game's handler in one invocation: does with each record what the plan says. */
export function handlerOf(
  world: World,
  process: ProcessModel,
  witness: InvocationWitness,
): Handler<TestEffect> {
  return async ({ id, generation }) => {
    const calls = (world.calls.get(id) ?? 0) + 1;
    world.calls.set(id, calls);
    world.tell(`${process.name} handles`, `${id}, call ${calls}, generation ${generation}`);
    world.witness.called(witness, { id, generation });
    await process.alive(1 + world.random() * 50);
    const planned = world.planned.get(id);
    const fault = planned === undefined || world.mended ? undefined : faultOf(planned, calls);
    switch (fault) {
      case undefined:
        return succeed(world, process, witness, id);
      case "throws":
        witness.returned(id, "badly");
        throw new Error("the game's database is down");
      case "throws poison":
        witness.returned(id, "to poison");
        throw new PoisonRecordError("an event of an unknown kind");
      case "refused":
        witness.returned(id, "badly");
        return { effects: [{ add: id, refuse: true }] };
      case "dies":
        return world.killedBy(id, process, witness);
      case "hangs":
        witness.returned(id, "badly");
        await process.alive(world.scenario.effects ? HANGS_MS : FOR_EVER_MS);
        return { effects: [{ add: id }] };
      default:
        return fault satisfies never;
    }
  };
}

type Failing = "throws" | "throws poison" | "refused" | "dies" | "hangs";

function faultOf({ kind, times }: Planned, calls: number): Failing | undefined {
  switch (kind) {
    case "ok":
      return undefined;
    case "fails":
      return calls <= times ? "throws" : undefined;
    case "poison":
      return "throws";
    case "poisonError":
      return "throws poison";
    case "refused":
      return "refused";
    case "crashes":
      return calls <= times ? "dies" : undefined;
    case "killer":
      return "dies";
    case "hangs":
      return calls <= times ? "hangs" : undefined;
    case "stuck":
      return "hangs";
    default:
      return kind satisfies never;
  }
}

/** Without effects, what the handler does itself happens in the middle of its call. */
async function succeed(
  world: World,
  process: ProcessModel,
  witness: InvocationWitness,
  id: string,
): Promise<HandlerResult<TestEffect>> {
  if (world.scenario.effects) {
    witness.returned(id, "well");
    return { effects: [{ add: id }] };
  }
  world.apply(id);
  await process.alive(1 + world.random() * 20);
  witness.returned(id, "well");
  return undefined;
}
