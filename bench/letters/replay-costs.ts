/** Requests of the replay function for each letter, by service. */
export type ReplayCosts = { readonly sqs: number; readonly ledger: number };

/** Requests that came between two counts. */
export function requestsBetween(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map([...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]));
}

export function costsOf(requests: ReadonlyMap<string, number>, letters: number): ReplayCosts {
  const sum = (prefix: string): number =>
    [...requests].reduce(
      (total, [name, count]) => total + (name.startsWith(prefix) ? count : 0),
      0,
    );
  return { sqs: sum("AmazonSQS.") / letters, ledger: sum("DynamoDB.") / letters };
}
