import { fileURLToPath } from "node:url";
import { stagePackage } from "./stage.ts";

await stagePackage(fileURLToPath(new URL("../../dist/package", import.meta.url)));
