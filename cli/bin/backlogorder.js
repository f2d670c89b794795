#!/usr/bin/env node
import { existsSync } from "node:fs";

// A checkout runs its sources. The package has none: Node strips no types below node_modules.
const source = new URL("../backlogorder.ts", import.meta.url);
const built = new URL("../../dist/cli/backlogorder.js", import.meta.url);
await import((existsSync(source) ? source : built).href);
