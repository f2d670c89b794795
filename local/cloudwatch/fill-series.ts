import type { Series } from "./time-grid.ts";

/** Missing values become the one before; what lies before the first value stays missing. */
export function repeat(series: Series): Series {
  let last: number | undefined;
  return series.map((value) => {
    last = value ?? last;
    return last;
  });
}

/** Missing values between two others become points of the line between them. */
export function interpolate(series: Series): Series {
  const known = series.flatMap((value, index) => (value === undefined ? [] : [{ index, value }]));
  let next = 0;
  return series.map((_, index) => {
    while ((known[next]?.index ?? index) < index) next += 1;
    const [before, after] = [known[next - 1], known[next]];
    if (after?.index === index) return after.value;
    if (before === undefined || after === undefined) return undefined;
    const share = (index - before.index) / (after.index - before.index);
    return before.value + (after.value - before.value) * share;
  });
}
