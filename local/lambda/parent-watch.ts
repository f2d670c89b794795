import { workerData } from "node:worker_threads";

/**
 * Runs as a thread of an execution environment and kills its process once the parent, whose id is
 * the thread's data, is gone. The main thread sees that by itself when its channel closes, unless
 * the handler blocks it.
 */
const INTERVAL_MS = 1000;

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, "SIGKILL");
}, INTERVAL_MS);
