import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export type Handler = (event: unknown, context: unknown) => unknown;

/**
 * Imports `file.export` (such as `index.handler`) from a function's code directory.
 * @throws Error named Runtime.ImportModuleError or Runtime.HandlerNotFound as Lambda names them, or
 *   whatever the module throws while it loads.
 */
export async function loadHandler(codeDirectory: string, handler: string): Promise<Handler> {
  const dot = handler.lastIndexOf(".");
  const moduleName = handler.slice(0, dot);
  const exportName = handler.slice(dot + 1);
  const file = [".mjs", ".js", ".cjs"]
    .map((ending) => resolve(codeDirectory, `${moduleName}${ending}`))
    .find((path) => existsSync(path));
  if (file === undefined) {
    throw named(
      "Runtime.ImportModuleError",
      `Error: Cannot find module '${moduleName}' in ${codeDirectory}`,
    );
  }
  const found = handlerOf(await import(pathToFileURL(file).href), exportName);
  if (typeof found !== "function") {
    throw named("Runtime.HandlerNotFound", `${handler} is undefined or not exported`);
  }
  return found as Handler;
}

/** A CommonJS module's exports may all be on its default export. */
function handlerOf(module: Readonly<Record<string, unknown>>, exportName: string): unknown {
  const exported = module["default"] as Readonly<Record<string, unknown>> | undefined;
  return module[exportName] ?? exported?.[exportName];
}

function named(name: string, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
