/**
 * List prices of us-east-1 in USD, without free tiers and discounts, from the price pages of the services as known in
 * November 2026. DynamoDB: on-demand, standard tables. Lambda: Arm. API Gateway: REST, the first 333 million requests.
 */
export const prices = {
  readUnit: 0.125e-6,
  writeUnit: 0.625e-6,
  /** A GB of tables and indexes for a month, with the backup for the restore to a point in time (0.25 + 0.20). */
  storedGb: 0.45,
  /** Two requests for the records of a stream that a worker reads: 0.02 for 100,000. */
  streamRead: 0.2e-6,
  invocation: 0.2e-6,
  /** A second of a function with 1 GB of memory. */
  functionSecond: 0.0000133334,
  gatewayRequest: 3.5e-6,
  queueRequest: 0.4e-6,
  /** A GB of logs, written. */
  loggedGb: 0.5,
  /** A GB that leaves the region. */
  sentGb: 0.09,
  /** An alarm for a month. */
  alarm: 0.1,
  dashboard: 3,
  secret: 0.4,
  /** A key of KMS for a month. */
  key: 1,
  /** A signature with an ECC key: 0.15 for 10,000. */
  signature: 15e-6,
} as const;
