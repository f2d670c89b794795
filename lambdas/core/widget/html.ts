/** Text that may stand in a page as it is. Only {@link html} makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

/** Markup with values in it. Every value is escaped, in text and in quoted attributes alike, unless it
 *  is markup itself. */
export function html(markup: TemplateStringsArray, ...values: readonly Value[]): Html {
  const texts = markup.map((part, index) => part + textOf(values[index] ?? ""));
  return new Html(texts.join(""));
}

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return escaped(String(value));
}

function escaped(text: string): string {
  return text.replace(SPECIAL, (character) => `&#${character.charCodeAt(0)};`);
}

/** Control characters too: a key may hold any. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
const SPECIAL = /[&<>"'`=\u0000-\u001f\u007f]/g;
