/** Bytes as people read them, in powers of 1024 with at most one decimal: `640 B`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = "B";
  for (const larger of ["KiB", "MiB", "GiB", "TiB"]) {
    // What would be shown as 1024 belongs to the next unit.
    if (Math.round(value * 10) / 10 < 1024) break;
    value /= 1024;
    unit = larger;
  }
  return `${Math.round(value * 10) / 10} ${unit}`;
}
