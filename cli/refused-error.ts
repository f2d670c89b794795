import { CommandError } from "./command-error.ts";

/** What was asked was understood and not done. Nothing was changed. */
export class RefusedError extends CommandError {}
