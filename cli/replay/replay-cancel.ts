import { locateBacklog } from "../backlog-location.ts";
import { callerArn } from "../caller.ts";
import { readLedgerLocks } from "../consumer/ledger-locks.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { envelopeOf } from "../letters/letters-json.ts";
import { ledgerAt, type Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { printable } from "../terminal/printable.ts";
import { cancelRun } from "./cancel-run.ts";

/** `replay cancel [name] [runId]`: the running replay sends no further letter. Ends with `unfinished`
 *  where there is no such run. */
export async function replayCancel(
  name: string,
  runId: string | undefined,
  session: Session,
): Promise<number> {
  const { clients, terminal, json, nowMs } = session;
  const location = await locateBacklog(clients.ssm, name);
  const requestedBy = await callerArn(clients.sts);
  const wanted = runId ?? (await readLedgerLocks(ledgerAt(session, location))).replay?.runId;
  const cancelled =
    wanted !== undefined && (await cancelRun(session, location, { runId: wanted, requestedBy }));
  const next = `npx backlogorder replay status ${name}`;
  if (json) {
    terminal.write(
      jsonOf({ ...envelopeOf("replay-cancel", location, nowMs), runId: wanted, cancelled, next }),
    );
  } else {
    terminal.write(`${sentence(wanted, cancelled)}\nNext: ${next}`);
  }
  return cancelled ? EXIT_CODES.ok : EXIT_CODES.unfinished;
}

function sentence(runId: string | undefined, cancelled: boolean): string {
  if (runId === undefined) return "Nothing is being replayed.";
  return cancelled
    ? `Run ${printable(runId)} sends no further letter. It follows those that it has sent, and its answer says what happened.`
    : `Run ${printable(runId)} is not under way any more, or never was.`;
}
