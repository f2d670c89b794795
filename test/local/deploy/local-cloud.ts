import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Cloud, type CloudOptions, startCloud } from "../../../local/cloud.ts";

/** A cloud that ends with the test. */
export async function localCloud(options: CloudOptions = {}): Promise<Cloud> {
  const cloud = await startCloud(options);
  onTestFinished(() => cloud.close());
  return cloud;
}

/** A folder of assets as `cdk synth` writes it, one asset `<name>.zip` for each bundle's source. */
export function assetsOf(sources: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), "assets-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const files = Object.entries(sources).map(([name, source]) => {
    const folder = mkdtempSync(join(directory, `asset.${name}`));
    writeFileSync(join(folder, "index.mjs"), source);
    const path = folder.slice(directory.length + 1);
    const destinations = { here: { objectKey: `${name}.zip` } };
    return [name, { source: { path, packaging: "zip" }, destinations }];
  });
  const manifest = { version: "55.0.0", files: Object.fromEntries(files) };
  writeFileSync(join(directory, "Game.assets.json"), JSON.stringify(manifest));
  return directory;
}
