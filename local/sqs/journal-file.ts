import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
} from "node:fs";

/** An append-only file of JSON lines. What was flushed outlives the process, not the machine. */
export type JournalFile = {
  /** Buffered until the next flush. */
  append(value: unknown): void;
  flush(): void;
  /** Puts these in the place of all lines, those not yet flushed included; all or nothing. */
  replace(values: Iterable<unknown>): void;
  /** Lines in the file and not yet flushed. */
  readonly lines: number;
  close(): void;
};

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1 << 20;

/**
 * Opens or makes the file and hands each line to `read`, in order. A last line without its end was
 * being written when the process died, so nobody was answered: it is cut off.
 * @throws Error naming the file and the line that is not JSON
 */
export function openJournalFile(path: string, read: (value: unknown) => void): JournalFile {
  let descriptor = openSync(path, existsSync(path) ? "r+" : "w+");
  let lines = readLines(path, descriptor, read);
  closeSync(descriptor);
  descriptor = openSync(path, "a");
  let pending: string[] = [];

  const flush = (): void => {
    if (pending.length === 0) return;
    const text = pending.join("");
    pending = [];
    appendFileSync(descriptor, text);
  };
  return {
    append(value): void {
      pending.push(`${JSON.stringify(value)}\n`);
      lines += 1;
    },
    flush,
    replace(values): void {
      const replacement = openSync(`${path}.new`, "w");
      lines = writeLines(replacement, values);
      renameSync(`${path}.new`, path);
      closeSync(descriptor);
      descriptor = replacement;
      pending = [];
    },
    get lines(): number {
      return lines;
    },
    close(): void {
      flush();
      closeSync(descriptor);
    },
  };
}

function readLines(path: string, descriptor: number, read: (value: unknown) => void): number {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let lines = 0;
  let endOfLastLine = 0;
  for (;;) {
    const length = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
    if (length === 0) break;
    const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      lines += 1;
      read(parseLine(bytes.toString("utf8", start, end), path, lines));
      endOfLastLine += end + 1 - start;
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) ftruncateSync(descriptor, endOfLastLine);
  return lines;
}

function parseLine(text: string, path: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(
      `Expected JSON in line ${line} of ${path}, got \`${text.slice(0, 80)}\`. Move the file away to start empty.`,
      { cause },
    );
  }
}

function writeLines(descriptor: number, values: Iterable<unknown>): number {
  let lines = 0;
  let text = "";
  for (const value of values) {
    text += `${JSON.stringify(value)}\n`;
    lines += 1;
    if (text.length >= CHUNK_BYTES) {
      appendFileSync(descriptor, text);
      text = "";
    }
  }
  appendFileSync(descriptor, text);
  return lines;
}
