import * as z from 'zod';

const count = z.int().nonnegative();

/** Statistics of one day. */
export const DayStatistics = z
  .strictObject({
    date: z.iso.date().describe('In UTC.'),
    submitted: count,
    approved: count,
    rejected: count,
    expired: count,
    by_rule: count.describe('How many were approved or rejected by a rule, and not by a person.'),
    decided: count.describe('How many of the decisions were the first on their version.'),
    mean_hours_to_decision: z
      .number()
      .nonnegative()
      .nullable()
      .describe('How long those had waited, on average; null where there were none.'),
  })
  .describe('What happened on one day.');
export type DayStatistics = z.infer<typeof DayStatistics>;

export const Statistics = z
  .strictObject({ days: z.array(DayStatistics) })
  .describe(
    'What happened on each day, today last. Days on which nothing happened are there, too.',
  );
export type Statistics = z.infer<typeof Statistics>;
