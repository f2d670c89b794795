import { letterReason } from "../dead-letter.ts";
import type { Delivery } from "../record.ts";
import { MALFORMED, readArrival } from "../wire/arrival.ts";

/** The reason of a letter once `delivery` stands for it: another one where it could not be read and can
 *  be by now, for a plan goes by it. Other reasons stay; they are what the edit was made for. */
export function reasonAfterEdit(reason: string, delivery: Delivery, partitions: number): string {
  const isMended =
    reason.startsWith(MALFORMED) && readArrival(delivery, partitions).content.kind === "readable";
  return isMended ? letterReason(`edited since: ${reason}`) : reason;
}
