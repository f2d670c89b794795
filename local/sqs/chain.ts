/** One place in a chain. Keep it to take the value out again in constant time. */
export type Link<T> = {
  readonly value: T;
  previous: Link<T> | undefined;
  next: Link<T> | undefined;
};

/**
 * A doubly linked list. Queues delete from the middle and read from the front all the time: an
 * array would keep what was deleted, a Set would walk over it.
 */
export type Chain<T> = { first: Link<T> | undefined; last: Link<T> | undefined };

export function emptyChain<T>(): Chain<T> {
  return { first: undefined, last: undefined };
}

export function append<T>(chain: Chain<T>, value: T): Link<T> {
  return insertAfter(chain, chain.last, value);
}

/** Puts the value behind `link`, or to the front where `link` is undefined. */
export function insertAfter<T>(chain: Chain<T>, link: Link<T> | undefined, value: T): Link<T> {
  const next = link === undefined ? chain.first : link.next;
  const inserted: Link<T> = { value, previous: link, next };
  if (link === undefined) chain.first = inserted;
  else link.next = inserted;
  if (next === undefined) chain.last = inserted;
  else next.previous = inserted;
  return inserted;
}

/** Takes a link out of the chain that it is in. The link must be in it. */
export function detach<T>(chain: Chain<T>, link: Link<T>): void {
  const { previous, next } = link;
  if (previous === undefined) chain.first = next;
  else previous.next = next;
  if (next === undefined) chain.last = previous;
  else next.previous = previous;
  link.previous = undefined;
  link.next = undefined;
}

/** From first to last; the value just handed out may be detached meanwhile, others may not. */
export function* valuesOf<T>(chain: Chain<T>): Generator<T> {
  let link = chain.first;
  while (link !== undefined) {
    const { next } = link;
    yield link.value;
    link = next;
  }
}
