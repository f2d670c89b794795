import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Findings, Part, PartOptions } from "./measure/part.ts";
import { median } from "./measure/rounds.ts";

const RUNS_MAX = 3;
const LOOK_EVERY_MS = 250;

type Figures = { readonly seconds: number; readonly megabytes: number };

/** `npm start` as a whole: its time, and the memory that all its processes hold together. */
export const EMBEDDED_RUN_PART: Part = {
  name: "start",
  title: "The embedded run",
  async run({ rounds }: PartOptions): Promise<Findings> {
    const runs = Math.min(rounds, RUNS_MAX);
    const figures: Figures[] = [];
    for (let run = 0; run < runs; run += 1) figures.push(await measure());
    const seconds = median(figures.map((one) => one.seconds));
    const megabytes = median(figures.map((one) => one.megabytes));
    return {
      method: [
        `\`npm start\`, median of ${runs}: from its start to its verdict, and the most memory that all its processes held at once, what they share counted once. Of this machine and this moment.`,
      ],
      tables: [
        {
          title: "npm start",
          columns: ["", "Median"],
          rows: [
            ["seconds", String(seconds)],
            ["MB at most", String(megabytes)],
          ],
        },
      ],
      targets: [],
    };
  },
};

async function measure(): Promise<Figures> {
  const script = join(import.meta.dirname, "../local/run.ts");
  const child = spawn(process.execPath, [script, "--json"], {
    stdio: ["ignore", "pipe", "ignore"],
    cwd: join(import.meta.dirname, ".."),
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  let most = 0;
  const look = setInterval(() => {
    most = Math.max(most, heldBytes(child.pid ?? 0));
  }, LOOK_EVERY_MS);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`Expected the run to exit with 0, got ${code}: ${output}`);
  const { seconds } = JSON.parse(output.trim().split("\n").at(-1) ?? "");
  return { seconds, megabytes: Math.round(most / 1_000_000) };
}

/** Memory of a process and all below it, by Linux's process table. Proportional shares: what the
 *  processes share, Node's own code above all, counts once. */
function heldBytes(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/u.test(one))) {
    const parent = parentOf(Number(name));
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  return [...parents.keys()]
    .filter((pid) => isBelow(pid, root, parents))
    .reduce((sum, pid) => sum + shareOf(pid), 0);
}

function parentOf(pid: number): number | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name in brackets may hold anything; the fields are counted behind it.
  const parent = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
  return parent === undefined ? undefined : Number(parent);
}

function shareOf(pid: number): number {
  const rollup = textOf(`/proc/${pid}/smaps_rollup`) ?? "";
  return 1024 * Number(/^Pss:\s+(\d+) kB/mu.exec(rollup)?.[1] ?? 0);
}

/** Undefined where the process ended meanwhile. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function isBelow(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  for (let one: number | undefined = pid; one !== undefined && one > 0; one = parents.get(one)) {
    if (one === root) return true;
  }
  return false;
}
