/**
 * Runs `task` again and again, `pauseMs` after the last run ended, without keeping the process
 * alive. The answer stops it and waits for a run that is under way. A task that fails is a defect
 * and ends the process, as any unhandled rejection does.
 */
export function repeat(task: () => Promise<void>, pauseMs: number): () => Promise<void> {
  let stopped = false;
  let running = Promise.resolve();
  let timer = setTimeout(run, pauseMs).unref();
  function run(): void {
    running = task().then(() => {
      if (!stopped) timer = setTimeout(run, pauseMs).unref();
    });
  }
  return () => {
    stopped = true;
    clearTimeout(timer);
    return running;
  };
}
