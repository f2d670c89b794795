/** The backlog whose records a later generation waits for: `live` of `live-g2`, `live-g2` of
 *  `live-g3`; undefined for a first generation. */
export function generationBefore(name: string): string | undefined {
  const [, first, number] = /^(.+)-g([1-9]\d{0,2})$/.exec(name) ?? [];
  if (first === undefined || Number(number) < 2) return undefined;
  return Number(number) === 2 ? first : `${first}-g${Number(number) - 1}`;
}
