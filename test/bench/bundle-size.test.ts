import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundleConsumers } from "../../bench/cold-start/bundles.ts";

it("the consumer's bundle is no larger than the smallest that Powertools makes, and below 320 kB", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bundles-"));
  try {
    const { backlogorder, powertools } = await bundleConsumers(folder);
    expect(backlogorder.bytes).toBeLessThanOrEqual(powertools.bytes);
    expect(backlogorder.bytes).toBeLessThan(320_000);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 30_000);
