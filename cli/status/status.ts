import { readBacklog } from "../../lambdas/aws/backlog-snapshot.ts";
import { locateBacklog } from "../backlog-location.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { readLetters } from "../letters/read-letters.ts";
import { ledgerAt, type Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { readAlarmStates } from "./alarm-states.ts";
import { statusJson } from "./status-json.ts";
import { statusReportOf } from "./status-report.ts";
import { statusText } from "./status-text.ts";

/** `status [name]`: what is wrong, where, since when, and what to do next. The exit code says how bad
 *  the policy finds it. */
export async function status(name: string, session: Session): Promise<number> {
  const { clients, terminal, nowMs, json } = session;
  const location = await locateBacklog(clients.ssm, name);
  const [letters, alarms] = await Promise.all([
    readLetters(session, location),
    readAlarmStates(clients.cloudWatch, location),
  ]);
  const backlog = await readBacklog({
    sqs: clients.sqs,
    cloudWatch: clients.cloudWatch,
    ledger: ledgerAt(session, location),
    sourceUrl: location.sourceUrl,
    letterQueueUrl: location.letterQueueUrl,
    settings: { letterRetentionSeconds: letters.retentionMs / 1000 },
  });
  const report = statusReportOf({ location, nowMs, backlog, letters, alarms });
  terminal.write(json ? jsonOf(statusJson(report)) : statusText(report, terminal));
  return EXIT_CODES[report.verdict.level];
}
