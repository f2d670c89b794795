import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { toEnvironment } from "../../lambdas/core/environment.ts";
import { settingsOf } from "../../lambdas/core/settings.ts";
import { atMost, type Findings, type Part, type PartOptions } from "../measure/part.ts";
import { interleave, type Measure, median, ratio } from "../measure/rounds.ts";
import { type Bundle, type BundleName, bundleConsumers } from "./bundles.ts";

const run = promisify(execFile);

/** Import time and size of the bundles. */
export const COLD_START_PART: Part = {
  name: "cold-start",
  title: "Cold start",
  async run({ rounds }: PartOptions): Promise<Findings> {
    const folder = await mkdtemp(join(tmpdir(), "backlogorder-bench-"));
    try {
      const bundles = await bundleConsumers(folder);
      const measures = Object.fromEntries(
        Object.entries(bundles).map(([name, bundle]) => [name, () => importMs(bundle)]),
      ) as Record<BundleName, Measure>;
      return findingsOf(bundles, await interleave(measures, rounds));
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

const METHOD = [
  "Each bundle is imported by a new Node process, as Lambda does at a cold start, which then tells how long its import took. All are bundled with the flags of this stack: ESM, minified, with the SDK. `powertools` is the batch processor, the idempotency layer and the DynamoDB client alone; `logs and metrics` adds what this consumer also has; `lean` also leaves out the credential sources that Lambda never uses.",
];

const TRIED = [
  "The SDK's default credential chain brings clients for single sign-on, web identities and roles: 137 kB of the consumer's 436 kB. Lambda hands credentials over in the environment only, so the functions' bundles take them from there (infra/function-bundle.ts): 299 kB.",
  "The loading of the rest is the SDK's own clients for DynamoDB and SQS, which every consumer of this kind needs.",
];

async function importMs({ file }: Bundle): Promise<number> {
  const program = `
    const start = performance.now();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    process.stdout.write(String(performance.now() - start));`;
  const env = {
    AWS_REGION: "us-east-1",
    ...toEnvironment({
      settings: settingsOf(),
      sourceUrl: "http://127.0.0.1:1/source.fifo",
      letterQueueUrl: "http://127.0.0.1:1/letters.fifo",
      ledgerTable: "ledger",
    }),
  };
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
    env,
  });
  return Number(stdout);
}

function findingsOf(
  bundles: Readonly<Record<BundleName, Bundle>>,
  samples: Readonly<Record<BundleName, readonly number[]>>,
): Findings {
  const names = Object.keys(bundles) as BundleName[];
  return {
    method: METHOD,
    tables: [
      {
        title: "Consumers of the same job",
        columns: ["Bundle", "kB", "Import, ms", "x backlogorder"],
        rows: names.map((name) => [
          name,
          (bundles[name].bytes / 1000).toFixed(0),
          median(samples[name]).toFixed(0),
          ratio(samples[name], samples.backlogorder).toFixed(2),
        ]),
      },
    ],
    targets: [
      atMost(
        "size of Powertools' smallest: 1.0",
        bundles.backlogorder.bytes / bundles.powertools.bytes,
        1,
      ),
      atMost(
        "import time of Powertools' smallest: 1.0",
        ratio(samples.backlogorder, samples.powertools),
        1,
      ),
    ],
    tried: TRIED,
  };
}
