/** The chunks until the signal, also where none comes any more: a pipe may be silent for ever. */
export async function* readUntil<T>(
  chunks: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const iterator = chunks[Symbol.asyncIterator]();
  const aborted = new Promise<"aborted">((resolve) => {
    signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
  while (!signal.aborted) {
    const next = await Promise.race([iterator.next(), aborted]);
    if (next === "aborted") break;
    if (next.done === true) return;
    yield next.value;
  }
  // Not waited for: a stream ends its iterator only with the chunk that is being waited for.
  void iterator.return?.();
}
