import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { type BuildOptions, buildSync } from "esbuild";
import { IS_BUILT, lambdaFile, PACKAGE_ROOT } from "./package-root.ts";

/** Files that stand in for imports, by import. */
type Aliases = Readonly<Record<string, string>>;

/**
 * The bundle of `lambdas/<name>` as a function's code, whose handler is `index.handler`. It is made at
 * synth by the esbuild that this package brings; in the built package, one without aliases is there
 * already.
 */
export function functionCode(name: string, aliases: Aliases = {}): Code {
  if (IS_BUILT && Object.keys(aliases).length === 0) {
    return Code.fromAsset(join(PACKAGE_ROOT, "functions", name));
  }
  return Code.fromAsset(PACKAGE_ROOT, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled, as `tryBundle` always bundles.
      image: DockerImage.fromRegistry("none"),
      // The CDK takes two bundles for one where these are the same.
      command: [name, JSON.stringify(aliases)],
      local: {
        tryBundle(folder): boolean {
          bundleFunction(name, folder, aliases);
          return true;
        },
      },
    },
  });
}

/**
 * Writes `index.mjs` into `folder`: the function with all that it imports, the SDK included.
 * @throws with esbuild's own words where something cannot be found or read.
 */
export function bundleFunction(name: string, folder: string, aliases: Aliases = {}): void {
  const outfile = join(folder, "index.mjs");
  if (Object.keys(aliases).length === 0) {
    ownBundles ??= bundleOwn();
    mkdirSync(folder, { recursive: true });
    writeFileSync(outfile, ownBundles.get(name) ?? notOwn(name));
    return;
  }
  buildSync({
    ...BUNDLE_OPTIONS,
    entryPoints: [lambdaFile(name)],
    outfile,
    alias: { ...LAMBDA_CREDENTIALS, ...aliases },
  });
}

/** Names of the functions that hold nothing of the game's: all but the consumer. */
export function ownFunctions(): readonly string[] {
  return readdirSync(join(PACKAGE_ROOT, "lambdas"), { withFileTypes: true })
    .filter((file) => file.isFile() && parse(file.name).ext === ".ts")
    .map((file) => parse(file.name).name)
    .filter((name) => name !== "consumer" && name !== "handler");
}

let ownBundles: ReadonlyMap<string, Uint8Array> | undefined;

/** Together, as esbuild then reads only once what all of them import, and starts only once. */
function bundleOwn(): ReadonlyMap<string, Uint8Array> {
  const { outputFiles } = buildSync({
    ...BUNDLE_OPTIONS,
    entryPoints: ownFunctions().map(lambdaFile),
    outdir: PACKAGE_ROOT,
    write: false,
    alias: { ...LAMBDA_CREDENTIALS },
  });
  return new Map(outputFiles.map(({ path, contents }) => [parse(path).name, contents]));
}

function notOwn(name: string): never {
  throw new RangeError(
    `Expected one of the functions ${ownFunctions().join(", ")}, got \`${name}\``,
  );
}

/** Lambda hands a function's credentials over in its environment. The SDK's own chain of sources, for
 *  laptops and servers, is a third of a bundle and as much of its time to load. */
export const LAMBDA_CREDENTIALS: Aliases = {
  "@aws-sdk/credential-provider-node": lambdaFile("aws/environment-credentials"),
};

/** How every function is bundled. */
export const BUNDLE_OPTIONS: BuildOptions = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node24",
  // Smallest and fastest to load of the ways to ship the SDK.
  mainFields: ["module", "main"],
  minify: true,
  // Dependencies that are CommonJS still call `require` for Node's own modules.
  banner: {
    js: "import{createRequire}from'module';const require=createRequire(import.meta.url);",
  },
  logLevel: "warning",
};
