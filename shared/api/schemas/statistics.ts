import * as z from 'zod';

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
  })
  .describe('Activity of one day.');
export type DayStatistics = z.infer<typeof DayStatistics>;

export const Statistics = z
  .strictObject({ days: z.array(DayStatistics) })
  .describe('Activity by day, today last. Days without activity are included.');
export type Statistics = z.infer<typeof Statistics>;
