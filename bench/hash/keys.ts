/** Keys of one length and alphabet. */
export type KeyKind = { readonly name: string; readonly of: (number: number) => string };

const CJK_BASE = 0x4e00;

export const KEY_KINDS = [
  { name: "10 bytes, ASCII", of: (number: number): string => ascii(number, 10) },
  { name: "40 bytes, ASCII", of: (number: number): string => ascii(number, 40) },
  { name: "200 bytes, ASCII", of: (number: number): string => ascii(number, 200) },
  { name: "12 characters, CJK", of: (number: number): string => cjk(number, 12) },
] as const satisfies readonly KeyKind[];

/** A thousand different keys, each a string of its own as it comes out of a message. */
export function keysOf({ of }: KeyKind): readonly string[] {
  return Array.from({ length: 1000 }, (_, number) => Buffer.from(of(number)).toString());
}

function ascii(number: number, bytes: number): string {
  return `player:${number}`.padStart(bytes, "guild:north:").slice(-bytes);
}

function cjk(number: number, characters: number): string {
  return Array.from({ length: characters }, (_, place) =>
    String.fromCharCode(CJK_BASE + ((number * 131 + place * 977) % 20_000)),
  ).join("");
}
