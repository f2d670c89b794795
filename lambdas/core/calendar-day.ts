/** Whether a text that begins with a day, `2026-01-31`, begins with one that there is: JavaScript takes
 *  30 February for 2 March. */
export function beginsWithDay(text: string): boolean {
  const day = text.slice(0, 10);
  const midnightMs = Date.parse(day);
  return !Number.isNaN(midnightMs) && new Date(midnightMs).toISOString().startsWith(day);
}
