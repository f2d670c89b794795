/**
 * Dollars in us-east-1, on demand, free tiers left out: the one table that every estimate reads.
 * https://aws.amazon.com/sqs/pricing/ https://aws.amazon.com/lambda/pricing/
 * https://aws.amazon.com/dynamodb/pricing/on-demand/ https://aws.amazon.com/cloudwatch/pricing/
 * https://aws.amazon.com/xray/pricing/ https://aws.amazon.com/kms/pricing/
 */
export const PRICES = {
  /** FIFO; one for each 64 KB of a request. */
  sqsRequest: 0.5 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** arm64. */
  lambdaGibSecond: 0.0000133334,
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  logGb: 0.5,
  trace: 5 / 1e6,
  metricRead: 0.01 / 1000,
  /** A month each, from here on. An alarm costs so much for each metric that it watches. */
  alarmMetric: 0.1,
  compositeAlarm: 0.5,
  dashboard: 3,
  customMetric: 0.3,
  key: 1,
} as const;
