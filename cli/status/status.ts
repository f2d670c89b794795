import { listOpenRecords } from "../../lambdas/aws/ledger/open-records.ts";
import { readBacklog } from "../../lambdas/aws/snapshot/backlog-snapshot.ts";
import { locateBacklog } from "../backlog-location.ts";
import { readInterventions } from "../consumer/consumer-state.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { type LetterQueue, lettersOf, readLetterQueue } from "../letters/read-letters.ts";
import { ledgerAt, type Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { readAlarmStates } from "./alarm-states.ts";
import { statusJson } from "./status-json.ts";
import { type StatusReport, statusReportOf } from "./status-report.ts";
import { statusText } from "./status-text.ts";

/** `status [name]`: what is wrong, where, since when, and what to do next. The exit code says how bad
 *  the policy finds it. */
export async function status(name: string, session: Session): Promise<number> {
  const { terminal, json } = session;
  const report = await readStatus(name, session);
  terminal.write(json ? jsonOf(statusJson(report)) : statusText(report, terminal));
  return EXIT_CODES[report.verdict.level];
}

/** Looks once; the ledger's index is read once for the heads and the letters. @throws CommandError
 *  where there is no such backlog. Errors of AWS pass through. */
export async function readStatus(name: string, session: Session): Promise<StatusReport> {
  const { clients, nowMs } = session;
  const location = await locateBacklog(clients.ssm, name);
  const ledger = ledgerAt(session, location);
  const [open, queue, alarms, interventions] = await Promise.all([
    listOpenRecords(ledger),
    readLetterQueue(session, location),
    readAlarmStates(clients.cloudWatch, location),
    readInterventions(session, location),
  ]);
  const sources = {
    sqs: clients.sqs,
    cloudWatch: clients.cloudWatch,
    ledger,
    sourceUrl: location.sourceUrl,
    letterQueueUrl: location.letterQueueUrl,
    settings: { letterRetentionSeconds: queue.retentionMs / 1000 },
    withheld: async (): Promise<LetterQueue["withheld"]> => queue.withheld,
  };
  const backlog = await readBacklog(sources, open);
  const letters = lettersOf(open, queue, nowMs);
  return statusReportOf({ location, nowMs, backlog, letters, alarms, interventions });
}
