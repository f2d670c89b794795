export type AlarmState = "OK" | "ALARM" | "INSUFFICIENT_DATA";

export type MissingDataTreatment = "missing" | "ignore" | "breaching" | "notBreaching";

export type MissingDataRules = {
  /** M: how many of the evaluated datapoints must breach. */
  readonly datapointsToAlarm: number;
  /** N: how many datapoints are evaluated. */
  readonly evaluationPeriods: number;
  readonly treatMissingData: MissingDataTreatment;
};

/** CloudWatch looks this many periods further back than N, in case some of the N are missing. The
 *  number is not documented; both tables of the page below have N = 3 and a range of 5. */
export const EXTRA_PERIODS = 2;

/**
 * The state that a row of datapoints gives, oldest first: true breaches, false does not, undefined
 * is missing. The row is the whole evaluation range; with N real datapoints in it the newest N
 * decide and missing ones do not matter. `undefined` keeps the state that the alarm is in.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
export function stateOfDatapoints(
  breaches: readonly (boolean | undefined)[],
  { datapointsToAlarm, evaluationPeriods, treatMissingData }: MissingDataRules,
): AlarmState | undefined {
  const real = breaches.filter((breach) => breach !== undefined).slice(-evaluationPeriods);
  const missing = evaluationPeriods - real.length;
  const filled = treatMissingData === "breaching" ? missing : 0;
  const breaching = real.filter(Boolean).length + filled;
  if (breaching >= datapointsToAlarm) return "ALARM";
  const filledIn = treatMissingData === "breaching" || treatMissingData === "notBreaching";
  if (missing === 0 || filledIn || real.includes(false)) return "OK";
  if (treatMissingData === "ignore") return undefined;
  return isPremature(breaches, datapointsToAlarm) ? "INSUFFICIENT_DATA" : "ALARM";
}

/** Only breaching datapoints, too few of them: an alarm all the same once the oldest is M periods
 *  old, because whatever is missing would have to be good to prevent it. Younger ones wait. */
function isPremature(
  breaches: readonly (boolean | undefined)[],
  datapointsToAlarm: number,
): boolean {
  const oldest = breaches.indexOf(true);
  return oldest === -1 || breaches.length - oldest < datapointsToAlarm;
}
