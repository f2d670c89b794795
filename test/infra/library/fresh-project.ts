import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Manifest } from "../../../infra/library/manifest.ts";
import { stagePackage } from "../../../infra/library/stage.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export const MANIFEST: Manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

export type FreshProject = {
  /** The project's folder. */
  readonly folder: string;
  /** Paths in the package. */
  readonly packed: readonly string[];
  write(file: string, text: string): Promise<void>;
  /** Runs Node in the project. @throws with what it wrote to stderr */
  node(...words: readonly string[]): Promise<string>;
  remove(): Promise<void>;
};

/**
 * A project with nothing but the packed package installed, and what its manifest says that it needs:
 * an import of anything else fails. What it needs comes from this checkout, so that no network is
 * asked, unless npm itself is to install all of it.
 */
export async function freshProject(options: { readonly byNpm: boolean }): Promise<FreshProject> {
  const parent = await mkdtemp(join(tmpdir(), "fresh project "));
  const folder = join(parent, "game");
  await mkdir(folder);
  const { tarball, packed } = await pack(parent);
  const project: FreshProject = {
    folder,
    packed,
    write: (file, text) => writeFile(join(folder, file), text),
    node: async (...words) => (await run(process.execPath, words, { cwd: folder })).stdout,
    remove: () => rm(parent, { recursive: true }),
  };
  await project.write("package.json", JSON.stringify({ name: "game", type: "module" }));
  await (options.byNpm ? installByNpm : installFromHere)(folder, tarball);
  return project;
}

/** What a project that was begun with `cdk init` has of its own, beside the peers. */
const OWN = ["typescript", "@types/node"];

async function installFromHere(folder: string, tarball: string): Promise<void> {
  const modules = join(folder, "node_modules");
  const installed = join(modules, "backlogorder");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
  const { dependencies, peerDependencies } = MANIFEST;
  for (const name of new Set([...Object.keys({ ...dependencies, ...peerDependencies }), ...OWN])) {
    await link(join(ROOT, "node_modules", name), join(modules, name));
  }
}

async function installByNpm(folder: string, tarball: string): Promise<void> {
  const { peerDependencies, devDependencies } = MANIFEST;
  const own = [...Object.keys(peerDependencies), ...OWN].map(
    (name) => `${name}@${devDependencies[name]}`,
  );
  const options = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel", "error"];
  await run("npm", ["install", ...options, tarball, ...own], { cwd: folder });
}

/** Path of the compiler, for `FreshProject.node`. */
export const TSC: string = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin/tsc",
);

async function pack(
  parent: string,
): Promise<{ readonly tarball: string; readonly packed: readonly string[] }> {
  const stage = join(parent, "package");
  await stagePackage(stage);
  const options = ["--json", "--pack-destination", parent];
  const { stdout } = await run("npm", ["pack", ...options], { cwd: stage });
  const [{ filename, files }] = JSON.parse(stdout);
  return {
    tarball: join(parent, filename),
    packed: files.map(({ path }: { readonly path: string }) => path),
  };
}

async function link(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await symlink(from, to);
}
