import type { AttributeValue } from "@aws-sdk/client-dynamodb";

export type Item = Readonly<Record<string, AttributeValue>>;

/** A table's secondary index; it projects all attributes. */
export type Index = { readonly partitionKey: string; readonly sortKey: string };

/** Bytes of one write unit.
 *  https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html */
const UNIT_BYTES = 1024;

/**
 * Write units of one write on a table and its indexes, by DynamoDB's rules: the larger of the item
 * before and after, one unit a started KB and never less than one, a refused condition included; and
 * on each index what must be removed from it and put into it.
 * @param before the item as it stood; undefined = absent.
 * @param after the item as it stands; undefined = absent.
 */
export function writeUnits(
  before: Item | undefined,
  after: Item | undefined,
  indexes: readonly Index[],
): number {
  const own = Math.max(unitsOf(before), unitsOf(after), 1);
  return indexes.reduce((sum, index) => sum + indexUnits(before, after, index), own);
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes */
function indexUnits(before: Item | undefined, after: Item | undefined, index: Index): number {
  const old = isIn(before, index) ? before : undefined;
  const now = isIn(after, index) ? after : undefined;
  if (old === undefined || now === undefined) return unitsOf(old) + unitsOf(now);
  if (placeIn(old, index) !== placeIn(now, index)) return unitsOf(old) + unitsOf(now);
  const same = JSON.stringify(old) === JSON.stringify(now);
  return same ? 0 : Math.max(unitsOf(old), unitsOf(now));
}

function isIn(item: Item | undefined, { partitionKey, sortKey }: Index): boolean {
  return item?.[partitionKey] !== undefined && item[sortKey] !== undefined;
}

function placeIn(item: Item, { partitionKey, sortKey }: Index): string {
  return JSON.stringify([item[partitionKey], item[sortKey]]);
}

function unitsOf(item: Item | undefined): number {
  return item === undefined ? 0 : Math.ceil(itemBytes(item) / UNIT_BYTES);
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

function valueBytes({ S, N, SS, NS, M, L, BOOL, NULL }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return numberBytes(N);
  if (SS !== undefined) return SS.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  if (NS !== undefined) return NS.reduce((sum, each) => sum + numberBytes(each), 0);
  if (M !== undefined) return 3 + Object.keys(M).length + itemBytes(M);
  if (L !== undefined) return L.reduce((sum, each) => sum + 1 + valueBytes(each), 3);
  if (BOOL !== undefined || NULL !== undefined) return 1;
  throw new RangeError("Expected text, numbers, sets of them, maps, lists, booleans or null");
}

/** Two digits a byte and one more. */
function numberBytes(digits: string): number {
  return Math.ceil(digits.replace(/\D/gu, "").length / 2) + 1;
}
