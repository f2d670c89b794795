import { GetEventSourceMappingCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import type { BacklogLocation } from "../backlog-location.ts";
import { ledgerAt, type Session } from "../session.ts";
import { type LedgerLocks, readLedgerLocks } from "./ledger-locks.ts";

/** Whether the consumer is fed. `changing`: Lambda has not carried out the last change yet. */
export type Feeding = "on" | "off" | "changing" | "unknown";

export type ConsumerState = {
  readonly feeding: Feeding;
  /** The event source mapping's own word; undefined where it could not be read. */
  readonly mappingState: string | undefined;
  /** Who paused it and why; undefined where it was not paused by this command. */
  readonly pause: LedgerLocks["pause"];
};

/** What stands in the way of the backlog on purpose. */
export type Interventions = {
  readonly consumer: ConsumerState;
  readonly replay: LedgerLocks["replay"];
};

/**
 * The event source mapping's state and the ledger's locks. The verdict does not rest on the mapping:
 * where Lambda cannot be asked, its state is unknown and the rest goes on.
 * @throws where DynamoDB fails.
 */
export async function readInterventions(
  session: Session,
  location: BacklogLocation,
): Promise<Interventions> {
  const [mappingState, { pause, replay }] = await Promise.all([
    readMappingState(session.clients.lambda, location),
    readLedgerLocks(ledgerAt(session, location)),
  ]);
  return { consumer: { feeding: feedingOf(mappingState), mappingState, pause }, replay };
}

async function readMappingState(
  lambda: LambdaClient,
  { mapping }: Pick<BacklogLocation, "mapping">,
): Promise<string | undefined> {
  try {
    const { State } = await lambda.send(new GetEventSourceMappingCommand({ UUID: mapping }));
    return State;
  } catch {
    return undefined;
  }
}

/** https://docs.aws.amazon.com/lambda/latest/api/API_GetEventSourceMapping.html */
function feedingOf(state: string | undefined): Feeding {
  if (state === undefined) return "unknown";
  if (state === "Enabled") return "on";
  return state === "Disabled" ? "off" : "changing";
}
