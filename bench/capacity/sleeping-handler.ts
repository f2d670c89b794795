import { setTimeout as delay } from "node:timers/promises";

/** Waits as many milliseconds as the record's payload says, and does nothing. */
export async function handle({ payload }: { readonly payload: unknown }): Promise<undefined> {
  await delay(JSON.parse(String(payload)).handlerMs);
}
