import { ThrottledError } from "../lambda/concurrency.ts";
import { FunctionNotFoundError } from "../lambda/functions.ts";

/**
 * Invokes a function again and again, for the first time after one period; a run that is due while
 * the one before still goes on is left out. The timer does not keep the process alive. Gives what
 * stops it.
 */
export function invokeEvery(periodMs: number, invoke: () => Promise<unknown>): () => void {
  let running = false;
  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      await invoke();
    } catch (error) {
      // One that found no free slot is counted as a throttle, and the next comes soon; one whose
      // function is deleted is nobody's concern, as on AWS.
      if (!(error instanceof ThrottledError || error instanceof FunctionNotFoundError)) throw error;
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void run(), Math.max(1, periodMs)).unref();
  return () => clearInterval(timer);
}
