import { styleText } from "node:util";

/** Where a verb prints. */
export type Terminal = {
  /** Writes the lines, and the end of the last one. */
  readonly write: (text: string) => void;
  /** Columns of a terminal; undefined where the output goes elsewhere, and nothing is cut. */
  readonly width: number | undefined;
  /** The text in the tone's colour; unchanged off a terminal and with NO_COLOR. */
  readonly paint: (tone: Tone, text: string) => string;
};

export type Tone = "ok" | "warn" | "page" | "title" | "quiet";

export function terminalOf(stream: NodeJS.WriteStream): Terminal {
  return {
    write(text): void {
      stream.write(`${text}\n`);
    },
    width: stream.isTTY ? stream.columns : undefined,
    paint: (tone, text) => styleText(FORMATS[tone], text, { stream }),
  };
}

type Format = Parameters<typeof styleText>[0];

const FORMATS: Readonly<Record<Tone, Format>> = {
  ok: ["bold", "green"],
  warn: ["bold", "yellow"],
  page: ["bold", "red"],
  title: "bold",
  quiet: "dim",
};
