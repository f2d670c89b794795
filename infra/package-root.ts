import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder that holds package.json, wherever the app that uses the constructs is started. */
export const PACKAGE_ROOT: string = fileURLToPath(new URL("..", import.meta.url));

/** The handler that is deployed where the user names none. */
export const DEFAULT_HANDLER: string = join(PACKAGE_ROOT, "lambdas", "handler.ts");
