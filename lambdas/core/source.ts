import type { Delivery } from "./record.ts";

/** The source queue as the drain needs it. Acknowledging is not here: the invocation's answer does
 *  it for every message that is not listed as failed. */
export interface Source {
  /**
   * Sets the visibility of all messages together, 0 to 43,200 seconds from now. Best effort per
   * message: one that SQS refuses (its handle expired) comes back when its timeout runs out.
   */
  setVisibility(deliveries: readonly Delivery[], seconds: number): Promise<void>;
}
