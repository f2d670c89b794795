import { type Command, Option } from "commander";
import { MAX_PARTITIONS, SQS_LIMITS } from "../../lambdas/core/limits.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { JSON_VERSION, jsonOf } from "../terminal/json.ts";
import { type VerbContext, verb } from "../verb.ts";
import { readMilliseconds, readRate, readSkew, wholeFrom } from "./capacity-options.ts";
import { type CapacityPlan, capacityPlan } from "./capacity-plan.ts";
import { capacityText } from "./capacity-text.ts";
import { LOAD_DEFAULTS, type Load, type Skew } from "./load.ts";
import { UTILISATION_MAX } from "./partition-count.ts";

type Options = {
  readonly rate: number;
  readonly handler: number;
  readonly skew: Skew;
  readonly keys: number;
  readonly partitions?: number;
  readonly batch: number;
  readonly concurrency: number;
  readonly ledger: number;
  readonly overhead: number;
  readonly seed: number;
  readonly json?: boolean;
};

const MOST_KEYS = 2_000_000;

/** Adds `capacity`. */
export function addCapacityVerbs(program: Command, { sessionOf, end }: VerbContext): void {
  verb(program, "capacity", "partitions, waits, limits and cost of a load, before it is deployed")
    .requiredOption("--rate <records>", "records published, such as 5000/s", readRate)
    .requiredOption("--handler <time>", "one call of the handler, such as 20ms", readMilliseconds)
    .addOption(
      new Option("--skew <kind>", "how unevenly keys publish: uniform, or zipf:<exponent>")
        .argParser(readSkew)
        .default(LOAD_DEFAULTS.skew, LOAD_DEFAULTS.skew.kind),
    )
    .option(
      "--keys <count>",
      "players or guilds that publish",
      wholeFrom(1, MOST_KEYS),
      LOAD_DEFAULTS.keys,
    )
    .option("--partitions <count>", "instead of a suggested count", wholeFrom(1, MAX_PARTITIONS))
    .option(
      "--batch <count>",
      "records of a batch at most",
      wholeFrom(1, SQS_LIMITS.batchEntries),
      LOAD_DEFAULTS.batchSize,
    )
    .option(
      "--concurrency <count>",
      "batches at once at most",
      wholeFrom(1, 1000),
      LOAD_DEFAULTS.concurrency,
    )
    .addOption(time("--ledger", "one write of the ledger", LOAD_DEFAULTS.ledgerMs))
    .addOption(time("--overhead", "receive, start and delete of a batch", LOAD_DEFAULTS.overheadMs))
    .option("--seed <number>", "of the simulation", wholeFrom(0, 2 ** 32 - 1), 1)
    .addHelpText(
      "after",
      "\nExit codes: 0 keeps up, 1 narrow, 2 cannot keep up, 3 an option cannot be read.",
    )
    .action((options: Options) => {
      const { terminal, json } = sessionOf(options);
      const plan = capacityPlan({
        load: loadOf(options),
        partitions: options.partitions,
        seed: options.seed,
      });
      terminal.write(
        json
          ? jsonOf({ version: JSON_VERSION, kind: "capacity", ...finite(plan) })
          : capacityText(plan, terminal),
      );
      end(exitCodeOf(plan));
    });
}

function time(flag: string, description: string, defaultMs: number): Option {
  return new Option(`${flag} <time>`, description)
    .argParser(readMilliseconds)
    .default(defaultMs, `${defaultMs}ms`);
}

function loadOf(options: Options): Load {
  return {
    ratePerSecond: options.rate,
    handlerMs: options.handler,
    skew: options.skew,
    keys: options.keys,
    batchSize: options.batch,
    concurrency: options.concurrency,
    ledgerMs: options.ledger,
    overheadMs: options.overhead,
  };
}

/** JSON knows no Infinity: a backlog that never drains has no time to drain in. */
function finite(plan: CapacityPlan): object {
  const { hourOutageDrainSeconds: seconds } = plan;
  return { ...plan, hourOutageDrainSeconds: Number.isFinite(seconds) ? seconds : undefined };
}

function exitCodeOf({ keepsUp, choice }: CapacityPlan): number {
  if (!keepsUp) return EXIT_CODES.page;
  return choice.worstUtilisation > UTILISATION_MAX ? EXIT_CODES.warn : EXIT_CODES.ok;
}
