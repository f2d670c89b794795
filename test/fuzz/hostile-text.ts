import * as fc from "fast-check";

/** Any UTF-16 code units, lone surrogates and control characters among them. */
const codeUnits = fc
  .array(fc.nat(0xffff), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));

/** Texts that have tripped programs before, and texts that nobody thought of. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "__proto__",
    "constructor",
    "toString",
    "null",
    "NaN",
    "-0",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "\ufeff",
    "\ufffe\uffff",
    "e\u0301",
    "\u{1f3ae}".repeat(200),
    "x".repeat(257),
    "k".repeat(70_000),
  ),
  fc.string(),
  codeUnits,
);

/** JSON text: of any value, nested deeper than a stack, cut off in the middle, or none at all. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  fc.json(),
  fc
    .tuple(fc.json(), fc.nat(20))
    .map(([text, kept]) => text.slice(0, Math.min(kept, text.length - 1))),
  fc.constantFrom(100, 20_000).map((depth) => "[".repeat(depth) + "]".repeat(depth)),
  hostileText,
);
