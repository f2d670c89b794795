import cliProgress from "cli-progress";
import { formatBytes } from "../terminal/bytes.ts";

export type PublishProgress = {
  readonly set: (published: number, bytesRead: number) => void;
  readonly end: () => void;
};

/** A bar over the input's bytes; where its size is not known, only counts. Draws nothing off a
 *  terminal. */
export function publishProgress(
  stream: NodeJS.WriteStream,
  bytes: number | undefined,
): PublishProgress | undefined {
  if (!stream.isTTY) return undefined;
  const size = bytes === undefined ? "" : `{bar} {percentage} % of ${formatBytes(bytes)}, `;
  const bar = new cliProgress.SingleBar(
    {
      stream,
      format: `publishing ${size}{published} records, {duration_formatted}`,
      // Ctrl-C is for the publish to hear.
      gracefulExit: false,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(bytes ?? 1, 0, { published: 0 });
  return {
    set(published, bytesRead): void {
      bar.update(bytes === undefined ? 0 : bytesRead, { published });
    },
    end: () => bar.stop(),
  };
}
