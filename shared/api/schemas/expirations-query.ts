import * as z from 'zod';
import { Limit } from './query.ts';
import { placeAfterTime, Time } from './time.ts';

export const ExpirationsQuery = z.strictObject({
  before: Time.optional().describe('Only approvals that expire until this time.'),
  after: placeAfterTime('#')
    .optional()
    .describe(
      'Only approvals that expire later: a time, or `next` of the previous page. Default: now.',
    ),
  limit: Limit,
});
export type ExpirationsQuery = z.infer<typeof ExpirationsQuery>;
