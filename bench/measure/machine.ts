import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const PACKAGES = [
  "@aws-lambda-powertools/batch",
  "@aws-lambda-powertools/idempotency",
  "@aws-sdk/client-dynamodb",
  "@aws-sdk/client-sqs",
  "fnv-plus",
  "@sindresorhus/fnv1a",
];

/** What a run was made on. */
export function machineLine(): string {
  const [processor] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} x ${processor?.model.trim()}, ${gigabytes} GB, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** Versions of what is measured. */
export function versionsLine(): string {
  return PACKAGES.map((name) => `${name} ${versionOf(name)}`).join(", ");
}

/** A package may not export its package.json, so it is read by its path. */
function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8")).version;
}
