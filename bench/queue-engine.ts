import { type Drain, drainBacklogs } from "./queue-engine/drain.ts";
import { type MemorySample, passThrough } from "./queue-engine/pass-through.ts";

// npm run bench:engine [messages]
// Memory of the embedded SQS while messages pass through, and how fast it gives a backlog away.
// Times are of this machine and of this moment; only their order of size carries over.

const MESSAGES = Number(process.argv[2] ?? 1_000_000);
const PACE = 200;
const [SMALL, LARGE] = [5_000, 50_000] as const;
const ROUNDS = 3;

const GROWTH_MAX = 1.2;
const PER_SECOND_MIN = 5_000;
/** No slower but for what a measurement of this length varies. */
const SLOWDOWN_MAX = 1.2;

const targets: [string, boolean][] = [];

console.log(
  `${MESSAGES} messages pass through, ${PACE} a second by the engine's clock, journal on`,
);
const samples = await passThrough(
  { messages: MESSAGES, sampleEvery: Math.ceil(MESSAGES / 10), messagesPerSecond: PACE },
  (sample) => console.log(memoryLine(sample)),
);
const growth = ratio(samples.map(({ heapMegabytes }) => heapMegabytes));
targets.push([
  `heap at the end ${growth.toFixed(2)} times that at a tenth, at most ${GROWTH_MAX}`,
  growth <= GROWTH_MAX,
]);

console.log("backlogs drained over HTTP by 16 consumers of 16 groups");
// The first one warms both processes up.
const drains = await drainBacklogs(
  [SMALL, ...Array.from({ length: ROUNDS }, () => [SMALL, LARGE]).flat()],
  (drain) => console.log(drainLine(drain)),
);
const [small, large] = [SMALL, LARGE].map((backlog) =>
  drains.slice(1).filter((drain) => drain.backlog === backlog),
) as [Drain[], Drain[]];
const perSecond = median(large.map(({ messagesPerSecond }) => messagesPerSecond));
targets.push([
  `${LARGE} drained at ${perSecond.toFixed(0)} messages a second, at least ${PER_SECOND_MIN}`,
  perSecond >= PER_SECOND_MIN,
]);
const costs = [large, small].map((runs) =>
  median(runs.map(({ serverPerMessage }) => serverPerMessage)),
) as [number, number];
const slowdown = costs[0] / costs[1];
targets.push([
  `a message of ${LARGE} costs the server ${slowdown.toFixed(2)} times one of ${SMALL}, at most ${SLOWDOWN_MAX}`,
  slowdown <= SLOWDOWN_MAX,
]);
console.log(
  `the server's processor alone would give away ${(1e6 / costs[0]).toFixed(0)} messages a second`,
);

for (const [text, met] of targets) console.log(`${met ? "met" : "missed"}: ${text}`);

function memoryLine({ messages, heapMegabytes, residentMegabytes }: MemorySample): string {
  return `${messages}: heap ${heapMegabytes.toFixed(1)} MB, resident ${residentMegabytes.toFixed(0)} MB`;
}

function drainLine({ backlog, messagesPerSecond, serverPerMessage }: Drain): string {
  return `${backlog}: ${messagesPerSecond.toFixed(0)} messages a second, ${serverPerMessage.toFixed(0)} µs of the server's processor each`;
}

function ratio(values: readonly number[]): number {
  return (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
