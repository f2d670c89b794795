import { Command } from "commander";
import { BATCH_TIME_PART } from "./batch-time/batch-time.ts";
import { CAPACITY_PART } from "./capacity/agreement.ts";
import { COLD_START_PART } from "./cold-start/cold-start.ts";
import { CPU_PART } from "./cpu/cpu.ts";
import { DRAIN_PART } from "./embedded/drain.ts";
import { EMBEDDED_RUN_PART } from "./embedded-run.ts";
import { HASH_PART } from "./hash/hash.ts";
import { LEDGER_PART } from "./ledger/ledger.ts";
import type { Part, PartOptions } from "./measure/part.ts";
import { printFindings, writeFindings } from "./measure/report.ts";
import { MONEY_PART } from "./money/money.ts";
import { PUBLISHER_PART } from "./publisher/publisher.ts";
import { RECOVERY_PART } from "./recovery/recovery.ts";

const PARTS: readonly Part[] = [
  LEDGER_PART,
  BATCH_TIME_PART,
  CPU_PART,
  COLD_START_PART,
  HASH_PART,
  DRAIN_PART,
  PUBLISHER_PART,
  RECOVERY_PART,
  MONEY_PART,
  CAPACITY_PART,
  EMBEDDED_RUN_PART,
];

const ROUNDS = 15;

await new Command("bench")
  .description("Measures the backlog beside what a team would pick instead.")
  .argument("[parts...]", `of ${PARTS.map(({ name }) => name).join(", ")}; all unless given`)
  .option("--rounds <count>", "rounds that are kept", Number, ROUNDS)
  .option("--no-write", "leave docs/performance.md as it is")
  .action(async (names: readonly string[], { rounds, write }: PartOptions & { write: boolean }) => {
    const titles = PARTS.map(({ title }) => title);
    for (const part of chosen(names)) {
      const findings = await part.run({ rounds });
      printFindings(part, findings);
      if (write) writeFindings(part, findings, { rounds, titles });
    }
  })
  .parseAsync();

function chosen(names: readonly string[]): readonly Part[] {
  const unknown = names.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown !== undefined) {
    throw new RangeError(
      `Expected parts out of ${PARTS.map(({ name }) => name).join(", ")}, got \`${unknown}\``,
    );
  }
  return names.length === 0 ? PARTS : PARTS.filter(({ name }) => names.includes(name));
}
