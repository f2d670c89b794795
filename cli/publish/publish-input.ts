import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { CommandError } from "../command-error.ts";

export type PublishInput = {
  readonly input: AsyncIterable<Uint8Array>;
  /** Its size; undefined where it is not known. */
  readonly bytes: number | undefined;
};

/**
 * Opens the file, or stdin where none or `-` is named.
 * @throws CommandError where it cannot be read; so does the input that is returned.
 */
export async function openInput(
  file: string | undefined,
  stdin: AsyncIterable<Uint8Array>,
): Promise<PublishInput> {
  if (file === undefined || file === "-") {
    return { input: readable(stdin, "stdin"), bytes: undefined };
  }
  try {
    const { size } = await stat(file);
    return { input: readable(createReadStream(file), file), bytes: size };
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

async function* readable(
  chunks: AsyncIterable<Uint8Array>,
  source: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (cause) {
    throw unreadable(source, cause);
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
