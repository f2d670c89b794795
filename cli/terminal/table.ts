import Table from "cli-table3";

export type Column = { readonly title: string; readonly align?: "left" | "right" };

export type TableOptions = {
  /** Columns of the terminal; the last column is cut to fit. @default - nothing is cut */
  readonly width?: number | undefined;
};

/** Rows below their titles, without lines and without colours, indented by two spaces. */
export function tableOf(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width }: TableOptions = {},
): string {
  const table = new Table({
    head: columns.map(({ title }) => title),
    colAligns: columns.map(({ align = "left" }) => align),
    colWidths: columns.map((_, index) =>
      index === columns.length - 1 ? lastWidth(columns, rows, width) : null,
    ),
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    chars: NO_LINES,
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
}

/** Below this the last column says nothing any more; the terminal then breaks the lines. */
const LEAST_WIDTH = 24;

const GAP = "  ";

const NO_LINES = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: GAP,
};

function lastWidth(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): number | null {
  if (width === undefined) return null;
  const taken = columns
    .slice(0, -1)
    .map(({ title }, index) =>
      rows.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), title.length),
    )
    .reduce((sum, each) => sum + each + GAP.length, GAP.length);
  return Math.max(LEAST_WIDTH, width - taken);
}
