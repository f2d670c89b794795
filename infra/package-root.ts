import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder that holds `lambdas/`, wherever the app that uses the constructs is started: the
 *  repository's root, or `dist/` of the installed package. */
export const PACKAGE_ROOT: string = fileURLToPath(new URL("..", import.meta.url));

/** True in the installed package: it has JavaScript only, as Node strips no types below
 *  `node_modules`. */
export const IS_BUILT: boolean = import.meta.url.endsWith(".js");

/** Path of a file below `lambdas/` that is called `<name>.ts` in the repository. */
export function lambdaFile(name: string): string {
  return join(PACKAGE_ROOT, "lambdas", `${name}${IS_BUILT ? ".js" : ".ts"}`);
}

/** The handler that is deployed where the user names none. */
export const DEFAULT_HANDLER: string = lambdaFile("handler");
