import type { Engine } from "./engine.ts";
import type { JournalEvent } from "./journal-event.ts";
import { openJournalFile } from "./journal-file.ts";
import { applyEvent, endRestore } from "./restore.ts";
import { snapshotLines, snapshotOf } from "./snapshot.ts";

export type Journal = {
  record(event: JournalEvent): void;
  /** Writes what was recorded; called before an answer is given that tells of it. */
  save(): void;
  close(): void;
};

// A journal is rewritten when less than a quarter of it still counts, but never a short one.
const SHORTEST_REWRITE = 10_000;
const DEAD_FACTOR = 4;

/**
 * Restores the engine's queues from the file, which need not exist, and goes on in it. One process
 * at a time may have the file open.
 * @throws Error naming the line that cannot be read
 */
export function openJournal(path: string, engine: Engine): Journal {
  const file = openJournalFile(path, (value) => applyEvent(engine, value as JournalEvent));
  endRestore(engine);
  let saving: NodeJS.Immediate | undefined;

  const save = (): void => {
    clearImmediate(saving);
    saving = undefined;
    const { lines } = file;
    if (lines > SHORTEST_REWRITE && lines > DEAD_FACTOR * snapshotLines(engine)) {
      file.replace(snapshotOf(engine));
    } else {
      file.flush();
    }
  };
  return {
    record(event): void {
      file.append(event);
      // For what happens by itself, such as the end of a retention: no answer waits for it.
      saving ??= setImmediate(save);
    },
    save,
    close(): void {
      save();
      file.close();
    },
  };
}
