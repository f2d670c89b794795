/** The word that was probably meant: one that begins with `typed`, else the one that needs the fewest
 *  single-letter edits, case and hyphens aside; undefined where all need half of their letters. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const longer = words.find((word) => plain(word).startsWith(plain(typed)));
  if (longer !== undefined && plain(typed).length >= SHORTEST_BEGINNING) return longer;
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const word of words) {
    const distance = editDistance(plain(typed), plain(word));
    if (distance < fewest && distance < word.length / 2) {
      nearest = word;
      fewest = distance;
    }
  }
  return nearest;
}

/** Letters of a beginning that say which word is meant. */
const SHORTEST_BEGINNING = 4;

function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Levenshtein's distance, one row of the table at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1];
    for (const [index, other] of [...to].entries()) {
      const replaced = (row[index] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
