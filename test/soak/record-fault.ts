/** What the handler does with a record until its cause is mended; a flaky one fails the first times. */
export type RecordFault =
  | { readonly kind: "fails" | "poison" | "kills" | "hangs" }
  | { readonly kind: "flaky"; readonly times: number };

/** Records of one round of faults; each round has one of every kind, at these places. */
const ROUND = 250;
const PLACES: ReadonlyMap<number, RecordFault> = new Map<number, RecordFault>([
  [2, { kind: "poison" }],
  [35, { kind: "flaky", times: 1 }],
  [60, { kind: "fails" }],
  [80, { kind: "kills" }],
  [130, { kind: "hangs" }],
  [150, { kind: "flaky", times: 2 }],
  [190, { kind: "fails" }],
]);

/** The fault of the nth record, counted from 0 behind those that open the wallets; most have none. */
export function plannedFault(n: number): RecordFault | undefined {
  return PLACES.get(n % ROUND);
}

/** Reads the fault out of a payload, under `fault`. */
export function faultOf(payload: string): RecordFault | undefined {
  return JSON.parse(payload).fault;
}
