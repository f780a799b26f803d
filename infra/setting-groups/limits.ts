import { maxCounterShards } from '../../shared/api/resources.ts';
import { positive, whole } from '../setting-kinds.ts';

/** The lowest limit with which every request can be answered. */
const leastReadUnits = 2000;

/** Settings of limits, and of what functions may use. */
export const limitSettings = {
  /** The stage's throttling limits: requests a second, and at once. Without them, the account's limits apply. */
  throttleRate: positive('requests a second').optional(),
  throttleBurst: positive('requests at once').optional(),
  /** The maximum read units a second of each table. Without it, the account's limits apply. */
  maxReadUnits: whole('must be units a second, a whole number')
    .refine((units) => units >= leastReadUnits, {
      error: `must be at least ${leastReadUnits} units a second: one request can need 1,500`,
    })
    .optional(),
  /** The submissions and scans that the tokens of a label may send in a day. 0 means no limit. */
  submissionsPerDay: whole('must be a number of submissions').default(0),
  scansPerDay: whole('must be a number of scans').default(0),
  memoryMb: whole('must be a number of megabytes')
    .refine((size) => size >= 128 && size <= 10240, { error: 'must be from 128 to 10240' })
    .default(1024),
  /** The instances reserved for each function of the gate, and its maximum. Without it, they share the account's. */
  gateConcurrency: positive('instances').optional(),
  /** The most instances of each worker of a stream or a queue. Lambda reserves those of a stream's worker. */
  workerConcurrency: whole('must be a number of instances')
    .refine((count) => count >= 2 && count <= 1000, {
      error: 'must be from 2 to 1000, the limits of SQS',
    })
    .optional(),
  /** The number of shards of each counter. More shards allow more writes at once. */
  counterShards: whole('must be a number of shards')
    .refine((count) => count >= 1 && count <= maxCounterShards, {
      error: `must be from 1 to ${maxCounterShards}`,
    })
    .default(4),
};
