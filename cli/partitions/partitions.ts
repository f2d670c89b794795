import { listOpenRecords } from "../../lambdas/aws/ledger/open-records.ts";
import { readQueueSize } from "../../lambdas/aws/queue-size.ts";
import { backlogOf } from "../../lambdas/core/backlog.ts";
import { type BacklogLocation, locateBacklog } from "../backlog-location.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { attemptsAllowed } from "../letters/attempts-allowed.ts";
import { envelopeOf } from "../letters/letters-json.ts";
import { grouped } from "../letters/letters-text.ts";
import { lettersOf, readLetterQueue } from "../letters/read-letters.ts";
import { recordCommand } from "../record-command.ts";
import { ledgerAt, type Session } from "../session.ts";
import { blockedJson } from "../status/blocked-json.ts";
import { nextTryOf, nextTryText } from "../status/next-try.ts";
import { formatDuration } from "../terminal/duration.ts";
import { jsonOf } from "../terminal/json.ts";
import { printable } from "../terminal/printable.ts";
import { tableOf } from "../terminal/table.ts";
import { type PartitionRow, partitionRows } from "./partition-rows.ts";

/** `partitions [name]`: the partitions of which the ledger has something to say. SQS counts nothing
 *  by message group, so how many records wait in one cannot be told. */
export async function partitions(name: string, session: Session): Promise<number> {
  const { clients, terminal, json, nowMs } = session;
  const location = await locateBacklog(clients.ssm, name);
  const [open, queue, source] = await Promise.all([
    listOpenRecords(ledgerAt(session, location)),
    readLetterQueue(session, location),
    readQueueSize(clients.sqs, location.sourceUrl),
  ]);
  const letters = lettersOf(open, queue, nowMs);
  const backlog = backlogOf({
    nowMs,
    source,
    letters: { visible: queue.held, inFlight: 0, delayed: 0 },
    open,
    sourceAgeMs: undefined,
    letterAgeMs: undefined,
    averageBytes: undefined,
    letterRetentionMs: queue.retentionMs,
  });
  const rows = partitionRows(open, backlog, letters.listed, nowMs);
  const next = nextCommand(rows, location);
  if (json) {
    const answer = {
      ...envelopeOf("partitions", location, nowMs),
      partitions: location.partitions,
      count: backlog.count,
      rows: rows.map((row) => rowJson(row, location, nowMs)),
      next,
    };
    terminal.write(jsonOf(answer));
    return EXIT_CODES.ok;
  }
  terminal.write(terminal.paint("title", headline(rows, location)));
  if (rows.length > 0) terminal.write(rowTable(rows, location, nowMs, terminal.width));
  terminal.write(
    `Waiting in all: ${grouped(backlog.count)}. SQS does not count by partition, and tells nothing of records that have not failed.`,
  );
  terminal.write(`Next: ${next}`);
  return EXIT_CODES.ok;
}

function headline(rows: readonly PartitionRow[], location: BacklogLocation): string {
  const blocked = rows.filter(({ head }) => head !== undefined).length;
  const withLetters = rows.filter(({ letters }) => letters > 0).length;
  return `${grouped(blocked)} of ${grouped(location.partitions)} partitions blocked, ${grouped(withLetters)} with dead letters`;
}

function rowTable(
  rows: readonly PartitionRow[],
  location: BacklogLocation,
  nowMs: number,
  width: number | undefined,
): string {
  return tableOf(
    [
      { title: "partition", align: "right" },
      { title: "letters", align: "right" },
      { title: "retrying", align: "right" },
      { title: "oldest", align: "right" },
      { title: "attempts", align: "right" },
      { title: "head" },
      { title: "key" },
      { title: "next try" },
      { title: "last reason" },
    ],
    rows.map(({ partition, letters, retrying, oldestAgeMs, head }) => [
      String(partition),
      grouped(letters),
      grouped(retrying),
      formatDuration(oldestAgeMs),
      ...(head === undefined
        ? ["", "not blocked", "", "", ""]
        : [
            `${head.attempts} of ${attemptsAllowed(head.generation, location.maxAttempts)}`,
            printable(head.id),
            printable(head.key),
            nextTryText(nextTryOf(head, location, nowMs), nowMs),
            printable(head.reason ?? "not recorded"),
          ]),
    ]),
    { width },
  );
}

function rowJson(
  { partition, head, retrying, letters, oldestAgeMs }: PartitionRow,
  location: BacklogLocation,
  nowMs: number,
): Readonly<Record<string, unknown>> {
  return {
    partition,
    retrying,
    letters,
    oldestAgeMs,
    head: head && blockedJson(head, location, nowMs),
  };
}

function nextCommand([worst]: readonly PartitionRow[], { name }: BacklogLocation): string {
  if (worst === undefined) return `npx backlogorder status ${name}`;
  return worst.head === undefined
    ? `npx backlogorder letters list ${name} --partition ${worst.partition}`
    : recordCommand("trace", worst.head.id, `--name ${name}`);
}
