import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { standingCost, totalOf } from "./standing-cost.ts";

// Prints what the synthesized stacks cost while nothing is published, as a Markdown table.

const FOLDER = join(import.meta.dirname, "../../cdk.out");

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".template.json"))) {
  const lines = standingCost(JSON.parse(readFileSync(join(FOLDER, file), "utf8")));
  console.log(`| ${file.replace(".template.json", "")}, at rest | Dollars a month |\n|---|---|`);
  for (const { what, dollars } of lines) console.log(`| ${what} | ${dollars.toFixed(2)} |`);
  console.log(`| **Total** | **${totalOf(lines).toFixed(2)}** |`);
}
