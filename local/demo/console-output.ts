import cliProgress from "cli-progress";
import Table from "cli-table3";

/** Where the demo speaks to people. A bar on a terminal, plain lines elsewhere. */
export type Output = {
  line(text: string): void;
  table(head: readonly string[], rows: readonly (readonly string[])[]): void;
  progress(what: string, total: number): Progress;
};

/** Must be ended, whatever happens: a bar redraws itself and keeps the process alive. */
export type Progress = { set(done: number): void; end(): void };

/** Plain lines say how far a step is at most this often. */
const LINE_EVERY_MS = 2000;

const CLEAR_ROW = "\r\u001b[K";

export function outputTo(stream: NodeJS.WriteStream): Output {
  const line = (text: string): void => {
    // A bar that stands in the row is drawn again below the text.
    if (stream.isTTY) stream.write(CLEAR_ROW);
    stream.write(`${text}\n`);
  };
  return {
    line,
    table(head: readonly string[], rows: readonly (readonly string[])[]): void {
      const table = new Table({
        head: [...head],
        style: { head: [], border: [] },
        colWidths: head.map((_, column) => (column === 0 ? 48 : null)),
        wordWrap: true,
      });
      table.push(...rows.map((row) => [...row]));
      line(table.toString());
    },
    progress: (what: string, total: number): Progress =>
      stream.isTTY ? bar(stream, what, total) : lines(line, what, total),
  };
}

function bar(stream: NodeJS.WriteStream, what: string, total: number): Progress {
  const progress = new cliProgress.SingleBar(
    { stream, format: `${what} {bar} {value}/{total}`, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  progress.start(total, 0);
  return { set: (done) => progress.update(done), end: () => progress.stop() };
}

function lines(line: (text: string) => void, what: string, total: number): Progress {
  let saidAtMs = Date.now();
  let last = 0;
  return {
    set(done: number): void {
      last = done;
      if (Date.now() - saidAtMs < LINE_EVERY_MS) return;
      saidAtMs = Date.now();
      line(`${what}: ${done} of ${total}`);
    },
    end: () => line(`${what}: ${last} of ${total}`),
  };
}
