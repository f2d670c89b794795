import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checked, keyOf, openStore, runAction, tableOf } from "../../../local/dynamodb/dynalite.ts";
import type { Store } from "../../../local/dynamodb/dynalite-store.ts";
import { withItemsLocked } from "../../../local/dynamodb/item-locks.ts";
import { transactGet } from "../../../local/dynamodb/transact-get.ts";
import { accountsTable, key, TABLE } from "./local-table.ts";

let store: Store;

beforeEach(async () => {
  store = await openStore(undefined);
});

afterEach(() => store.db.close());

const place = (table: string, item: string) => ({ table, key: item });

function run(name: "CreateTable" | "GetItem", body: object) {
  return runAction(store, name, checked(store, name, body));
}

describe("withItemsLocked", () => {
  it("runs one at a time on an item, in the order of asking, over tables in any order", async () => {
    const [a, b] = [place("A", "item"), place("B", "item")];
    const log: string[] = [];
    const runs = [[a, b], [b, a], [b], [a, a]].map((places, index) =>
      withItemsLocked(store, places, async () => {
        log.push(`begin ${index}`);
        await new Promise(setImmediate);
        log.push(`end ${index}`);
      }),
    );
    await Promise.all(runs);
    expect(log.slice(0, 4)).toEqual(["begin 0", "end 0", "begin 1", "end 1"]);
    expect(log.toSorted()).toEqual(
      [0, 1, 2, 3].flatMap((n) => [`begin ${n}`, `end ${n}`]).toSorted(),
    );
  });

  it("frees the items after a failure", async () => {
    const fail = withItemsLocked(store, [place("A", "item")], async () => {
      throw new Error("no luck");
    });
    await expect(fail).rejects.toThrow("no luck");
    expect(await withItemsLocked(store, [place("A", "item")], async () => "free")).toBe("free");
  });

  it("keeps a transactional read waiting, which ordinary reads are not", async () => {
    await run("CreateTable", accountsTable());
    const get = { TableName: TABLE, Key: key("a") };
    // The table becomes active a moment after it was made.
    await expect.poll(() => run("GetItem", get).catch(() => undefined)).toEqual({});
    const itemKey = keyOf(key("a"), await tableOf(store, TABLE));
    const log: string[] = [];
    let read: Promise<unknown> | undefined;
    await withItemsLocked(store, [place(TABLE, itemKey)], async () => {
      read = transactGet(store, [{ Get: get }]).then(() => log.push("read"));
      for (let index = 0; index < 20; index += 1) await run("GetItem", get);
      log.push("unlocked");
    });
    await read;
    expect(log).toEqual(["unlocked", "read"]);
  });
});
