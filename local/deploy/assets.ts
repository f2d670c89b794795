import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

/** Folder of each asset by the key that it would have in the bucket of assets. */
export type Assets = ReadonlyMap<string, string>;

const manifestSchema = v.object({
  files: v.record(
    v.string(),
    v.object({
      source: v.object({ path: v.optional(v.string()) }),
      destinations: v.record(v.string(), v.object({ objectKey: v.string() })),
    }),
  ),
});

/** Reads the `*.assets.json` files of a folder that `cdk synth` wrote. */
export function readAssets(directory: string): Assets {
  const manifests = readdirSync(directory).filter((name) => name.endsWith(".assets.json"));
  const assets = new Map<string, string>();
  for (const name of manifests) {
    const text = readFileSync(join(directory, name), "utf8");
    for (const { source, destinations } of Object.values(filesOf(text))) {
      for (const { objectKey } of Object.values(destinations)) {
        if (source.path !== undefined) assets.set(objectKey, join(directory, source.path));
      }
    }
  }
  return assets;
}

function filesOf(text: string): v.InferOutput<typeof manifestSchema>["files"] {
  return v.parse(manifestSchema, JSON.parse(text)).files;
}
