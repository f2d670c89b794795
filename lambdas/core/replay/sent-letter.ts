import type { Letter } from "./replay-letter.ts";

/** A letter whose successor is in the source queue, or in a dry run would be. */
export type Sent = { readonly letter: Letter; readonly generation: number };
