import { ServiceError } from "../http/aws-json.ts";

export type Page<T> = { readonly items: readonly T[]; readonly nextMarker?: string };

const ITEMS_MAX = 50;

/** Cuts a list for `Marker` and `MaxItems`; Lambda never sends more than 50 at a time.
 *  @throws ServiceError on a marker that is not one of ours. */
export function page<T>(all: readonly T[], query: URLSearchParams): Page<T> {
  const from = Number(query.get("Marker") ?? 0);
  if (!Number.isInteger(from) || from < 0) {
    throw new ServiceError(
      "InvalidParameterValueException",
      `Expected \`Marker\` to be a NextMarker of an earlier answer, got \`${query.get("Marker")}\``,
    );
  }
  const count = Math.min(ITEMS_MAX, Math.max(1, Number(query.get("MaxItems") ?? ITEMS_MAX)));
  const items = all.slice(from, from + count);
  return from + count < all.length ? { items, nextMarker: String(from + count) } : { items };
}
