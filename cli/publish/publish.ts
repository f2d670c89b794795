import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Publisher } from "../../lambdas/aws/publisher/publisher.ts";
import { locateBacklog } from "../backlog-location.ts";
import { CommandError } from "../command-error.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { envelopeOf } from "../letters/letters-json.ts";
import type { Session } from "../session.ts";
import { jsonOf } from "../terminal/json.ts";
import { readEventLines } from "./event-lines.ts";
import { publishLines } from "./publish-lines.ts";
import type { PublishProgress } from "./publish-progress.ts";
import { type PublishEnd, publishJson, publishText } from "./publish-text.ts";
import { isStopped, type PublishTotals } from "./publish-totals.ts";
import { readUntil } from "./read-until.ts";

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
  const location = await locateBacklog(clients.ssm, name);
  const { input, bytes } = await openInput(file, interaction);
  const { sourceUrl: queueUrl, partitions } = location;
  const progress = interaction.progress(bytes);
  const interrupted = new AbortController();
  const stopListening = interaction.onInterrupt(() => {
    stopListening();
    interrupted.abort();
  });
  let totals: PublishTotals;
  try {
    totals = await publishLines(readEventLines(readUntil(input, interrupted.signal)), {
      publisher: dryRun ? undefined : new Publisher({ client: clients.sqs, queueUrl, partitions }),
      partitions,
      nowMs: () => nowMs,
      onProgress: (soFar, bytesRead) => progress?.set(soFar.published, bytesRead),
      isInterrupted: () => interrupted.signal.aborted,
    });
  } finally {
    progress?.end();
    stopListening();
  }
  const end: PublishEnd = { dryRun, interrupted: interrupted.signal.aborted };
  terminal.write(
    json
      ? jsonOf({ ...envelopeOf("publish", location, nowMs), ...publishJson(totals, end, name) })
      : publishText(totals, end, location, terminal),
  );
  if (isStopped(totals) || end.interrupted) return EXIT_CODES.cannotTell;
  return totals.refused > 0 ? EXIT_CODES.unfinished : EXIT_CODES.ok;
}

async function openInput(
  file: string | undefined,
  { input }: PublishInteraction,
): Promise<{ readonly input: AsyncIterable<Uint8Array>; readonly bytes: number | undefined }> {
  if (file === undefined || file === "-") return { input, bytes: undefined };
  try {
    const { size } = await stat(file);
    return { input: fileChunks(file), bytes: size };
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

async function* fileChunks(file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): CommandError {
  return new CommandError(
    {
      code: "bad-file",
      message: `Expected a file of NDJSON lines, got from \`${file}\`: ${cause instanceof Error ? cause.message : String(cause)}`,
      remedy: "name a file that can be read, or give the lines on stdin",
    },
    { cause },
  );
}
