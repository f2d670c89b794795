import {
  atMost,
  type Findings,
  type Part,
  type PartOptions,
  type Target,
} from "../measure/part.ts";
import { interleave, type Measure, median, ratio, type Sample } from "../measure/rounds.ts";
import { bytesPerKey } from "./bytes-per-key.ts";
import { HASHERS, type HasherName } from "./hashers.ts";
import { KEY_KINDS, type KeyKind, keysOf } from "./keys.ts";

/** Calls of one round and contender. */
const CALLS = 200_000;

/** The partition of a key. */
export const HASH_PART: Part = {
  name: "hash",
  title: "The partition of a key",
  async run({ rounds }: PartOptions): Promise<Findings> {
    const measured: Measured[] = [];
    for (const kind of KEY_KINDS) {
      measured.push({ kind, samples: await interleave(measures(keysOf(kind)), rounds) });
    }
    return {
      method: METHOD,
      tables: [
        {
          title: "Nanoseconds a key",
          columns: ["Key", ...NAMES, "best package / partitionOf", "partitionOf / chain"],
          rows: measured.map(({ kind, samples }) => [
            kind.name,
            ...NAMES.map((name) => median(samples[name]).toFixed(0)),
            bestPackage(samples).toFixed(1),
            ofChain(samples).toFixed(2),
          ]),
        },
      ],
      targets: [
        ...measured.map(targetOf),
        atMost("bytes allocated for an ASCII key: none", bytesPerKey(keysOf(KEY_KINDS[1])), 1),
      ],
      tried: TRIED,
    };
  },
};

const METHOD = [
  "Nanoseconds a key over a thousand different keys. `chain alone` is the least that 32-bit FNV-1a can take: its multiplications one after another, each of which needs the one before, over bytes that lie ready in an array. The packages that npm offers: fnv-plus (its function for UTF-8) and @sindresorhus/fnv1a (with a buffer of its own).",
];

const TRIED = [
  "Keys that are not all ASCII went through a TextEncoder, which makes an array for each key. Their bytes are now hashed as they are found.",
  "A key's bytes cannot be hashed side by side, for each multiplication needs the one before.",
];

const NAMES = Object.keys(HASHERS) as HasherName[];

type Samples = Readonly<Record<HasherName, Sample>>;

type Measured = { readonly kind: KeyKind; readonly samples: Samples };

/** Three times as fast as the best package, or as fast as the chain of multiplications allows. */
function targetOf({ kind, samples }: Measured): Target {
  const faster = bestPackage(samples);
  const limit = ofChain(samples);
  return {
    aim: `${kind.name}: 3 x as fast as the best package, or within 1.3 x of the chain alone`,
    found: `${faster.toFixed(1)} x, ${limit.toFixed(2)} x of the chain`,
    met: faster >= 3 || limit <= 1.3,
  };
}

function bestPackage(samples: Samples): number {
  const packages = ["fnv-plus", "@sindresorhus/fnv1a"] as const;
  return Math.min(...packages.map((name) => ratio(samples[name], samples.partitionOf)));
}

function ofChain(samples: Samples): number {
  return ratio(samples.partitionOf, samples["chain alone"]);
}

function measures(keys: readonly string[]): Readonly<Record<HasherName, Measure>> {
  const measured = NAMES.map((name): [HasherName, Measure] => {
    const run = HASHERS[name](keys);
    return [name, async (): Promise<number> => nanosecondsOf(run, keys.length)];
  });
  return Object.fromEntries(measured) as Record<HasherName, Measure>;
}

function nanosecondsOf(run: () => number, keys: number): number {
  const start = performance.now();
  for (let call = 0; call < CALLS; call += keys) run();
  return (1e6 * (performance.now() - start)) / CALLS;
}
