const FNV_OFFSET_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const encoder = new TextEncoder();

/**
 * The partition of a key, 0 to `partitions - 1`: 32-bit FNV-1a over the key's UTF-8 bytes, unsigned,
 * modulo the count. The key is not trimmed, folded or normalised, so NFC and NFD of one text are two
 * keys. The empty key hashes to the basis. A lone surrogate has no UTF-8 form and hashes as U+FFFD,
 * which is why publishers refuse such keys.
 * @throws RangeError when `partitions` is not a whole number from 1 to 2^32 - 1.
 */
export function partitionOf(key: string, partitions: number): number {
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > 0xffff_ffff) {
    throw new RangeError(
      `Expected \`partitions\` to be a whole number from 1 to 4294967295, got \`${partitions}\``,
    );
  }
  return keyHash(key) % partitions;
}

/** 32-bit FNV-1a of a key's UTF-8 bytes, unsigned. The ledger keeps it to tell which keys moved on. */
export function keyHash(key: string): number {
  let hash = FNV_OFFSET_BASIS;
  for (let index = 0; index < key.length; index += 1) {
    const code = key.charCodeAt(index);
    // UTF-8 encodes ASCII as itself; a key that is all ASCII needs no buffer.
    if (code > 0x7f) return fnv1a32(encoder.encode(key));
    hash = Math.imul(hash ^ code, FNV_PRIME);
  }
  return hash >>> 0;
}

/** 32-bit FNV-1a of any bytes, unsigned. */
export function fnv1a32(bytes: Uint8Array): number {
  let hash = FNV_OFFSET_BASIS;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}
