import { setTimeout } from "node:timers/promises";
import { type BacklogLocation, locateBacklog } from "../backlog-location.ts";
import { callerArn } from "../caller.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { invokeOperation } from "../invoke-operation.ts";
import { envelopeOf } from "../letters/letters-json.ts";
import type { Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { type ConsumerState, readInterventions } from "./consumer-state.ts";
import { consumerJson, consumerText } from "./consumer-text.ts";

export type SwitchOptions = { readonly why: string; readonly ticket?: string };

export type Switch = "pause" | "resume";

/**
 * `pause [name]` and `resume [name]`: has the backlog's function switch the consumer off or on, and
 * shows its state after. Ends with `unfinished` while Lambda has not carried it out, which may take
 * a minute; records that are being handled are handled to their end.
 * @throws RefusedError where the function refuses.
 */
export async function switchConsumer(
  operation: Switch,
  name: string,
  { why, ticket }: SwitchOptions,
  session: Session,
  wait: Wait = (ms) => setTimeout(ms),
): Promise<number> {
  const { clients, terminal, json, nowMs } = session;
  const location = await locateBacklog(clients.ssm, name);
  const requestedBy = await callerArn(clients.sts);
  const request = { operation, requestedBy, why, ticket };
  await invokeOperation(clients.lambda, { name, functionName: location.replay }, request);
  const consumer = await settledState(operation, session, location, wait);
  const done = consumer.feeding === WANTED[operation];
  const next = `npx backlogorder ${operation === "pause" ? `resume ${name} --why '...'` : `status ${name}`}`;
  if (json) {
    const answer = {
      ...envelopeOf(operation, location, nowMs),
      requestedBy,
      why,
      ticket,
      done,
      consumer: consumerJson(consumer),
      next,
    };
    terminal.write(jsonOf(answer));
  } else {
    terminal.write(consumerText(consumer, name, nowMs));
    if (!done) terminal.write(`Not carried out yet; \`npx backlogorder status ${name}\` shows it.`);
    terminal.write(`Next: ${next}`);
  }
  return done ? EXIT_CODES.ok : EXIT_CODES.unfinished;
}

type Wait = (ms: number) => Promise<unknown>;

const WANTED = { pause: "off", resume: "on" } as const;

const LOOKS = 15;
const LOOK_EVERY_MS = 1000;

/** Lambda takes some seconds to enable or disable a mapping. */
async function settledState(
  operation: Switch,
  session: Session,
  location: BacklogLocation,
  wait: Wait,
): Promise<ConsumerState> {
  for (let look = 1; ; look += 1) {
    const { consumer } = await readInterventions(session, location);
    const settled = consumer.feeding === WANTED[operation] || consumer.feeding === "unknown";
    if (settled || look >= LOOKS) return consumer;
    await wait(LOOK_EVERY_MS);
  }
}
