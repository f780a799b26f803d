import * as z from 'zod';
import { Limit } from './query.ts';
import { placeAfterTime, Time } from './time.ts';

export const ExpirationsQuery = z.strictObject({
  before: Time.optional().describe('Only what runs out until then.'),
  after: placeAfterTime('#')
    .optional()
    .describe('Only what runs out later: a time, or `next` of the page before. Now, if not given.'),
  limit: Limit,
});
export type ExpirationsQuery = z.infer<typeof ExpirationsQuery>;
