#!/usr/bin/env node
import { openClients } from "./clients.ts";
import { EXIT_CODES } from "./exit-code.ts";
import { runCommand } from "./program.ts";
import { terminalOf } from "./terminal/terminal.ts";

// A reader that has seen enough, such as `head`, closes the pipe: no fault of anybody's.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

// Should the command fall over its own defect, the code must not be the one of a warning.
process.exitCode = EXIT_CODES.cannotTell;
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  process.exit(EXIT_CODES.cannotTell);
});

process.exitCode = await runCommand(process.argv.slice(2), {
  clients: openClients(),
  terminal: terminalOf(process.stdout),
  errors: terminalOf(process.stderr),
  nowMs: Date.now(),
});
