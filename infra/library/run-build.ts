import { fileURLToPath } from "node:url";
import { buildLibrary } from "./build.ts";

await buildLibrary(fileURLToPath(new URL("../../dist", import.meta.url)));
