/** As a signed number: above 2^31 the engine would keep the hash as a floating-point number. */
const FNV_OFFSET_BASIS = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** What UTF-8 writes for a surrogate that has no partner. */
const REPLACEMENT = 0xfffd;

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
    // Most keys are all ASCII, whose bytes are its codes; the others need no buffer either.
    if (code > 0x7f) return hashPointsFrom(key, index, hash);
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

function hashPointsFrom(key: string, start: number, before: number): number {
  let hash = before;
  let index = start;
  while (index < key.length) {
    const point = key.codePointAt(index) ?? REPLACEMENT;
    const isLoneSurrogate = (point & 0xff_f800) === 0xd800;
    hash = hashPoint(hash, isLoneSurrogate ? REPLACEMENT : point);
    index += point > 0xffff ? 2 : 1;
  }
  return hash >>> 0;
}

/** Hashes one character's UTF-8 bytes, 1 to 4 of them. */
function hashPoint(before: number, point: number): number {
  if (point <= 0x7f) return Math.imul(before ^ point, FNV_PRIME);
  if (point <= 0x7ff) return hashTail(hashLead(before, 0xc0 | (point >> 6)), point);
  if (point <= 0xffff) {
    return hashTail(hashTail(hashLead(before, 0xe0 | (point >> 12)), point >> 6), point);
  }
  const lead = hashTail(hashLead(before, 0xf0 | (point >> 18)), point >> 12);
  return hashTail(hashTail(lead, point >> 6), point);
}

function hashLead(before: number, byte: number): number {
  return Math.imul(before ^ byte, FNV_PRIME);
}

/** UTF-8 carries six bits in each byte after the first. */
function hashTail(before: number, bits: number): number {
  return Math.imul(before ^ (0x80 | (bits & 0x3f)), FNV_PRIME);
}
