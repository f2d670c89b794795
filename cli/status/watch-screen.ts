import { once } from "node:events";
import { clearScreenDown, cursorTo } from "node:readline";
import { setTimeout } from "node:timers/promises";
import type { Watch, WatchScreen } from "./watch.ts";

/** On a terminal the whole of it, cut to its height; elsewhere blocks one below the other. */
export function watchScreenOf(stream: NodeJS.WriteStream, json: boolean): WatchScreen {
  if (stream.isTTY && !json) {
    return {
      show(text): void {
        cursorTo(stream, 0, 0);
        clearScreenDown(stream);
        stream.write(`${cutToHeight(text, stream.rows)}\n`);
      },
    };
  }
  let shown = 0;
  return {
    show(text): void {
      stream.write(json || shown === 0 ? `${text}\n` : `\n${text}\n`);
      shown += 1;
    },
  };
}

/** A watch by the real clock, which Ctrl-C ends. */
export function watchUntilInterrupted(
  stream: NodeJS.WriteStream,
  { intervalMs, json }: { readonly intervalMs: number; readonly json: boolean },
): Watch {
  const interrupted = new AbortController();
  void once(process, "SIGINT").then(() => interrupted.abort());
  const { signal } = interrupted;
  return {
    intervalMs,
    screen: watchScreenOf(stream, json),
    nowMs: () => Date.now(),
    wait: async (ms): Promise<void> => {
      await setTimeout(ms, undefined, { signal }).catch(() => undefined);
    },
    ended: () => signal.aborted,
  };
}

/** The verdict stands in the first line and must not scroll away. */
function cutToHeight(text: string, rows: number): string {
  const lines = text.split("\n");
  // One row for the remark, one for the cursor. A terminal that does not tell its height has none.
  const kept = rows - 2;
  if (kept < 1 || lines.length <= kept + 1) return text;
  return [...lines.slice(0, kept), `... ${lines.length - kept} more lines`].join("\n");
}
