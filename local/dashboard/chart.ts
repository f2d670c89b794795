import { type Html, html } from "../../lambdas/core/widget/html.ts";
import type { Axis, Line } from "./graphs.ts";

export type Series = {
  readonly label: string;
  readonly axis: Axis;
  /** Ascending. */
  readonly points: readonly { readonly atMs: number; readonly value: number }[];
};

export type ChartProps = {
  readonly title: string;
  readonly series: readonly Series[];
  readonly lines: readonly Line[];
  readonly fromMs: number;
  readonly toMs: number;
};

const WIDTH = 380;
const HEIGHT = 150;
const COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"];

/** A small line chart as SVG. Each axis begins at 0 and ends with the largest value or line on it. */
export function chart({ title, series, lines, fromMs, toMs }: ChartProps): Html {
  const top = { left: topOf("left", series, lines), right: topOf("right", series, lines) };
  const x = (atMs: number): number => round((WIDTH * (atMs - fromMs)) / (toMs - fromMs));
  const y = (value: number, axis: Axis): number => round(HEIGHT * (1 - value / top[axis]));
  const curves = series.map(({ points, axis }, index) => {
    const path = points.map(({ atMs, value }) => `${x(atMs)},${y(value, axis)}`).join(" ");
    return html`<polyline points="${path}" stroke="${colourOf(index)}"/>`;
  });
  const rules = lines.map(({ value, axis }) => {
    const height = y(value, axis);
    return html`<line x1="0" x2="${WIDTH}" y1="${height}" y2="${height}"/>`;
  });
  const legend = series.map(
    ({ label, points }, index) =>
      html`<li style="color:${colourOf(index)}">${label}: ${newestOf(points)}</li>`,
  );
  const named = lines.map(({ label, value }) => html`<li>${label}: ${value}</li>`);
  return html`<figure><figcaption>${title}</figcaption><svg viewBox="-2 -2 ${WIDTH + 4} ${HEIGHT + 4}">${rules}${curves}</svg><ul>${legend}${named}</ul></figure>`;
}

function newestOf(points: Series["points"]): string | number {
  const newest = points.at(-1)?.value;
  return newest === undefined ? "nothing" : round(newest);
}

function topOf(axis: Axis, series: readonly Series[], lines: readonly Line[]): number {
  const values = series
    .filter((each) => each.axis === axis)
    .flatMap(({ points }) => points.map(({ value }) => value));
  const drawn = lines.filter((line) => line.axis === axis).map(({ value }) => value);
  return Math.max(1, ...values, ...drawn);
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? "";
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
