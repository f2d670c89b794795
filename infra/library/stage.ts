import { readFileSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildLibrary } from "./build.ts";
import { type Manifest, packageManifest } from "./manifest.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Lays out the package as a user gets it: built code, command and documents, with a manifest of its own.
 * `npm pack` of that folder makes the tarball.
 * @param folder what stood in it is gone.
 * @throws with the compiler's own words where the code does not compile.
 */
export async function stagePackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  await writeFile(
    join(folder, "package.json"),
    `${JSON.stringify(packageManifest(manifest), null, 2)}\n`,
  );
  const copied = ["README.md", "LICENSE", ...manifest.files.filter((name) => name !== BUILT)];
  for (const name of copied) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await buildLibrary(join(folder, BUILT));
}

/** The one entry of `files` that is made here. */
const BUILT = "dist";
