/**
 * Dollars in us-east-1, on demand, free tiers left out.
 * https://aws.amazon.com/sqs/pricing/ https://aws.amazon.com/lambda/pricing/
 * https://aws.amazon.com/dynamodb/pricing/on-demand/ https://aws.amazon.com/cloudwatch/pricing/
 */
export const PRICES = {
  /** FIFO; one for each 64 KB of a request. */
  sqsRequest: 0.5 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** arm64. */
  lambdaGibSecond: 0.0000133334,
  writeUnit: 0.625 / 1e6,
  logGb: 0.5,
} as const;
