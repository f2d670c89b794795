import { createInterface } from "node:readline/promises";
import cliProgress from "cli-progress";

/** The operator at the terminal, if there is one. */
export type Interaction = {
  /** Whether somebody can be asked. */
  readonly present: boolean;
  /** @returns whether the answer was yes. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** Shows how far a run is, on a terminal only. Must be ended. */
  readonly progress: (total: number) => Progress | undefined;
  /** Calls back on Ctrl-C until the function that is returned is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
};

export type Progress = {
  readonly set: (done: number) => void;
  readonly end: () => void;
};

/** Asks and draws on the error stream, so that the output is the answer only. */
export function interactionOf(input: NodeJS.ReadStream, stream: NodeJS.WriteStream): Interaction {
  return {
    present: input.isTTY && stream.isTTY,
    async confirm(question): Promise<boolean> {
      const lines = createInterface({ input, output: stream });
      try {
        // Ctrl-C or the end of the input close the lines: no answer is a no.
        const answer = await lines.question(`${question} [y/N] `).catch(() => "");
        return /^y(es)?$/i.test(answer.trim());
      } finally {
        lines.close();
      }
    },
    progress: (total) => (stream.isTTY ? bar(stream, total) : undefined),
    onInterrupt(listener): () => void {
      process.on("SIGINT", listener);
      return () => process.off("SIGINT", listener);
    },
  };
}

function bar(stream: NodeJS.WriteStream, total: number): Progress {
  const progress = new cliProgress.SingleBar(
    {
      stream,
      format: "replaying {bar} about {value} of {total}, {duration_formatted}",
      // Ctrl-C is for the run to hear.
      gracefulExit: false,
    },
    cliProgress.Presets.shades_classic,
  );
  progress.start(total, 0);
  return { set: (done) => progress.update(done), end: () => progress.stop() };
}
