import * as z from 'zod';
import { waitBuckets } from '../../domain/review/waiting-time.ts';

const count = z.int().nonnegative();

/** Statistics of one day. */
export const DayStatistics = z
  .strictObject({
    date: z.iso.date().describe('The day, in UTC.'),
    submitted: count,
    approved: count,
    rejected: count,
    expired: count,
    by_rule: count.describe('Number of decisions by policy.'),
    decided: count.describe('Number of first decisions on a version.'),
    mean_hours_to_decision: z
      .number()
      .nonnegative()
      .nullable()
      .describe('Average time to the first decision. Null if there was none.'),
    waits: z
      .array(count)
      .length(waitBuckets)
      .describe(
        'First decisions by waiting time: up to 15 minutes, 1, 4, 12 and 24 hours, 2, 3, 5, 7, 14 and 30 days, and longer.',
      ),
  })
  .describe('Activity of one day.');
export type DayStatistics = z.infer<typeof DayStatistics>;

export const Statistics = z
  .strictObject({ days: z.array(DayStatistics) })
  .describe('Activity by day, today last. Days without activity are included.');
export type Statistics = z.infer<typeof Statistics>;
