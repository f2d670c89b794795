import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { installInto } from "../../python/virtual-environment.ts";

// A second opinion on the synthesized template: cfn-lint, from PyPI into a virtual environment below
// .local/. A machine without Python or without a way to PyPI is told so and goes on.

const VERSION = "1.58.0";
const ROOT = resolve(import.meta.dirname, "../../..");
const ENVIRONMENT = join(ROOT, ".local", `cfn-lint-${VERSION}`);
const COMMAND = join(ENVIRONMENT, "bin", "cfn-lint");
const REGIONS = ["us-east-1", "eu-central-1", "cn-north-1"];

/** W3005: the CDK itself lets every function depend on its role, to which the function refers, too. */
const IGNORED = ["W3005"];

process.exitCode = lint();

function lint(): number {
  const templates = templatesIn(join(ROOT, "cdk.out"));
  if (templates.length === 0) {
    console.error("Expected a template in cdk.out, found none. Run `npm run synth` first");
    return 1;
  }
  const obstacle = existsSync(COMMAND)
    ? undefined
    : installInto(ENVIRONMENT, `cfn-lint==${VERSION}`);
  if (obstacle !== undefined) {
    console.log(`cfn-lint skipped: ${obstacle}`);
    return 0;
  }
  const options = ["--non-zero-exit-code", "warning", "--ignore-checks", ...IGNORED];
  const words = [...options, "--regions", ...REGIONS, "--", ...templates];
  const { status } = spawnSync(COMMAND, words, { stdio: "inherit" });
  if (status === 0) console.log(`cfn-lint ${VERSION}: no error or warning`);
  return status ?? 1;
}

function templatesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".template.json"));
  return names.map((name) => join(folder, name));
}
