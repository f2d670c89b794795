import { Publisher } from "../../lambdas/aws/publisher/publisher.ts";
import { CommandError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { envelopeOf } from "../letters/letters-json.ts";
import { grouped } from "../letters/letters-text.ts";
import type { Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { readEventLines } from "./event-lines.ts";
import { openInput } from "./publish-input.ts";
import { type PublishRun, publishLines } from "./publish-lines.ts";
import type { PublishProgress } from "./publish-progress.ts";
import { type PublishEnd, publishJson, publishText } from "./publish-text.ts";
import { emptyTotals, isStopped, type PublishTotals } from "./publish-totals.ts";
import { locatePublishing } from "./publishing-location.ts";

export type PublishOptions = { readonly file?: string | undefined; readonly dryRun?: boolean };

/** The operator's side of a publish. */
export type PublishInteraction = {
  /** Read where no file is named. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Shows how far it is; undefined off a terminal. `bytes` is the size of the input if known. */
  readonly progress: (bytes: number | undefined) => PublishProgress | undefined;
  /** Calls back on Ctrl-C until the function that is returned is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
};

/**
 * `publish [name] [file]`: publishes NDJSON lines in their order, and says of each what became of it.
 * Ends with `unfinished` where lines were refused, and with `cannotTell` where a record failed or
 * Ctrl-C came in between; the answer then says from which line on nothing was read.
 * @throws CommandError where the file cannot be read.
 */
export async function publish(
  name: string,
  { file, dryRun = false }: PublishOptions,
  session: Session,
  interaction: PublishInteraction,
): Promise<number> {
  const { clients, terminal, json, nowMs } = session;
  const location = await locatePublishing(clients.ssm, name);
  const { input, bytes } = await openInput(file, interaction.input);
  const { queueUrl, partitions } = location;
  const progress = interaction.progress(bytes);
  const interrupted = new AbortController();
  const stopListening = interaction.onInterrupt(() => {
    stopListening();
    interrupted.abort();
  });
  const totals = emptyTotals(partitions);
  const run: PublishRun = {
    publisher: dryRun ? undefined : new Publisher({ client: clients.sqs, queueUrl, partitions }),
    partitions,
    nowMs: () => nowMs,
    onProgress: (soFar, bytesRead) => progress?.set(soFar.published, bytesRead),
    isInterrupted: () => interrupted.signal.aborted,
  };
  try {
    await publishLines(readEventLines(input, interrupted.signal), run, totals);
  } catch (error) {
    throw error instanceof CommandError ? brokenOff(error, totals) : error;
  } finally {
    progress?.end();
    stopListening();
  }
  const end: PublishEnd = { dryRun, interrupted: interrupted.signal.aborted, file };
  terminal.write(
    json
      ? jsonOf({ ...envelopeOf("publish", location, nowMs), ...publishJson(totals, end, name) })
      : publishText(totals, end, location, terminal),
  );
  return exitCodeOf(totals, end);
}

function exitCodeOf(totals: PublishTotals, { interrupted }: PublishEnd): number {
  if (isStopped(totals) || interrupted) return EXIT_CODES.cannotTell;
  return totals.refused > 0 ? EXIT_CODES.unfinished : EXIT_CODES.ok;
}

/** What was published stays published; whoever goes on must know from where. */
function brokenOff(
  { code, message, remedy }: CommandError,
  { lines, published, refused }: PublishTotals,
): CommandError {
  const dealtWith = `; lines 1 to ${lines} are dealt with (${grouped(published)} published, ${grouped(refused)} refused), and nothing from line ${lines + 1} on`;
  return new CommandError({ code, message: lines === 0 ? message : message + dealtWith, remedy });
}
