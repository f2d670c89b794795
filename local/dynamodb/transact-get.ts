import { bytesOf, runAction } from "./dynalite.ts";
import type { Item, Store } from "./dynalite-store.ts";
import { withItemsLocked } from "./item-locks.ts";
import { validationError } from "./request.ts";
import { TRANSACTION_BYTES_MAX } from "./transact-write.ts";
import { planReads } from "./transaction-plan.ts";

/** Answers of a TransactGetItems request, in its order: all as of one moment between other writes.
 *  @throws ServiceError ValidationException for a key that does not fit its table. */
export async function transactGet(
  store: Store,
  items: unknown,
): Promise<readonly { readonly Item?: Item }[]> {
  const reads = (await planReads(store, items)).map((read) => {
    if (read.kind === "invalid") throw validationError(read.reason);
    return read;
  });
  const answers = await withItemsLocked(store, reads, () =>
    Promise.all(reads.map(({ data }) => runAction(store, "GetItem", data))),
  );
  const found = answers as readonly { readonly Item?: Item }[];
  const bytes = found.reduce((sum, { Item }) => sum + bytesOf(Item), 0);
  if (bytes > TRANSACTION_BYTES_MAX) {
    throw validationError(
      `Expected the items of a transaction to have at most ${TRANSACTION_BYTES_MAX} bytes, got ${bytes}`,
    );
  }
  return found.map(({ Item }) => (Item === undefined ? {} : { Item }));
}
