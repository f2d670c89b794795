import { statSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { BUNDLE_OPTIONS, bundleFunction, LAMBDA_CREDENTIALS } from "../../infra/function-bundle.ts";

/** A bundle on disk. */
export type Bundle = { readonly file: string; readonly bytes: number };

export type BundleName = "backlogorder" | keyof typeof POWERTOOLS_BUNDLES;

type Recipe = { readonly entry: string; readonly aliases: Readonly<Record<string, string>> };

/** Bundled with the same options. A team's own bundle has the SDK's default credentials; `lean` is what
 *  it would be with this backlog's. */
const POWERTOOLS_BUNDLES = {
  powertools: { entry: "powertools-entry.ts", aliases: {} },
  "powertools, logs and metrics": { entry: "powertools-observed-entry.ts", aliases: {} },
  "powertools, logs and metrics, lean": {
    entry: "powertools-observed-entry.ts",
    aliases: LAMBDA_CREDENTIALS,
  },
} as const satisfies Readonly<Record<string, Recipe>>;

/** File of a handler that does nothing. */
export const NO_OP: string = join(import.meta.dirname, "../contenders/no-op-handler.ts");

/** Bundles each consumer into `folder`. */
export async function bundleConsumers(
  folder: string,
): Promise<Readonly<Record<BundleName, Bundle>>> {
  bundleOwnConsumer(folder, NO_OP);
  const others = await Promise.all(
    Object.entries(POWERTOOLS_BUNDLES).map(async ([name, { entry, aliases }], place) => {
      const outfile = join(folder, `powertools-${place}.mjs`);
      const entryPoints = [join(import.meta.dirname, entry)];
      await build({ ...BUNDLE_OPTIONS, entryPoints, outfile, alias: { ...aliases } });
      return [name, bundleAt(outfile)] as const;
    }),
  );
  const own = ["backlogorder", bundleAt(join(folder, "index.mjs"))] as const;
  return Object.fromEntries([own, ...others]) as Record<BundleName, Bundle>;
}

/** Writes `index.mjs`, the deployed consumer around the handler in a file, into `folder`. */
export function bundleOwnConsumer(folder: string, handler: string): void {
  bundleFunction("consumer", folder, { "#handler": handler });
}

function bundleAt(file: string): Bundle {
  return { file, bytes: statSync(file).size };
}
