/** What package.json says, as far as it matters here. */
export type Manifest = {
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** What a user's npm reads. Left out is what only this repository needs: its scripts, its tools, the
 *  import of its example handler, and above all the Node that it brings for itself, which would take
 *  190 MB of each install and run the scripts of whoever installs. */
const KEPT: ReadonlySet<string> = new Set([
  "name",
  "version",
  "description",
  "license",
  "private",
  "type",
  "bin",
  "engines",
  "exports",
  "files",
  "dependencies",
  "peerDependencies",
]);

/** The manifest of the package, by that of the repository. */
export function packageManifest(manifest: Manifest): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(manifest).filter(([field]) => KEPT.has(field)));
}
